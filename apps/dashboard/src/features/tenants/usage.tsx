import type { OverviewDays } from "@stowage/operator-schemas";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { formatBytes, formatCount } from "../../components/format.js";
import { DaysTable } from "../../components/usage/days-table.js";
import { downloadColumns } from "../../components/usage/downloads.js";
import { lazyChart } from "../../components/usage/lazy-chart.js";
import { UsageCard } from "../../components/usage/usage-card.js";
import { tenants as texts } from "./tenants-texts.js";
import { usage } from "../../components/usage/usage-texts.js";
import { trpc } from "../../trpc.js";
import type { UsageChartProps } from "./usage-chart.js";

const UsageChart = lazyChart(async () => (await import("./usage-chart.js")).UsageChart, UsageTable);

const CHART_HEIGHT = 260;

/** The storage that a tenant used at the end of each day, and its downloads. */
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
      displayAs={texts.displayAs}
      days={days}
      onDays={setDays}
      query={query}
      chartHeight={CHART_HEIGHT}
    >
      {(perDay, shown) =>
        shown === "table" ? (
          <UsageTable label={label} days={perDay} />
        ) : (
          <UsageChart label={label} days={perDay} height={CHART_HEIGHT} />
        )
      }
    </UsageCard>
  );
}

function UsageTable({ label, days }: Omit<UsageChartProps, "height">) {
  return (
    <DaysTable
      label={label}
      dayTitle={texts.day}
      days={days}
      numbers={[
        { title: usage.uploads, of: "uploads", format: formatCount },
        { title: usage.uploaded, of: "uploadedBytes", format: formatBytes },
        { title: texts.usedAtEnd, of: "usedBytes", format: formatBytes },
        ...downloadColumns,
      ]}
    />
  );
}
