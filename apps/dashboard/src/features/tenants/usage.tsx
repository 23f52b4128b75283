import type { OverviewDays } from "@stowage/schemas/dashboard";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { lazyChart } from "../../components/usage/lazy-chart.js";
import { UsageCard } from "../../components/usage/usage-card.js";
import { tenants as texts } from "../../texts/tenants.js";
import { trpc } from "../../trpc.js";
import { UsageTable } from "./usage-table.js";

const UsageChart = lazyChart(async () => (await import("./usage-chart.js")).UsageChart, UsageTable);

const HEIGHT = 260;

/** What a tenant used at the end of each day. */
export function Usage({ projectRef, tenantId }: { projectRef: string; tenantId: string }) {
  const [days, setDays] = useState<OverviewDays>(30);
  const query = trpc.tenants.usagePerDay.useQuery(
    { projectRef, tenantId, days },
    { placeholderData: keepPreviousData },
  );
  const label = texts.usageOfDays(tenantId, days);
  return (
    <UsageCard
      title={texts.usage}
      shownAs={texts.shownAs}
      days={days}
      onDays={setDays}
      query={query}
      chartHeight={HEIGHT}
    >
      {(perDay, shown) =>
        shown === "table" ? (
          <UsageTable label={label} days={perDay} />
        ) : (
          <UsageChart label={label} days={perDay} height={HEIGHT} />
        )
      }
    </UsageCard>
  );
}
