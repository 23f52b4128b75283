import { Text } from "@mantine/core";
import type { OverviewDays } from "@stowage/schemas/dashboard";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazyChart } from "../../components/usage/lazy-chart.js";
import { UsageCard } from "../../components/usage/usage-card.js";
import { overview as texts } from "../../texts/overview.js";
import { trpc } from "../../trpc.js";
import { DEFAULT_DAYS } from "./overview-search.js";
import { UsageTable } from "./usage-table.js";

const UsageCharts = lazyChart(async () => (await import("./usage-charts.js")).UsageCharts, UsageTable);

const HEIGHT = 220;

/** What came and went in a project in the last days; how many of them lives in the address. */
export function Usage({ projectRef, days }: { projectRef: string; days: OverviewDays }) {
  const navigate = useNavigate();
  const query = trpc.overview.perDay.useQuery({ projectRef, days }, { placeholderData: keepPreviousData });
  const go = (chosen: OverviewDays) =>
    void navigate({
      to: "/projects/$projectRef",
      params: { projectRef },
      search: chosen === DEFAULT_DAYS ? {} : { days: chosen },
      resetScroll: false,
    });
  return (
    <UsageCard
      title={texts.usage}
      shownAs={texts.shownAs}
      days={days}
      onDays={go}
      query={query}
      chartHeight={HEIGHT}
    >
      {(perDay, shown) => {
        if (shown === "table") return <UsageTable days={perDay} />;
        if (perDay.every(({ uploads, deletedFiles }) => uploads + deletedFiles === 0))
          return <Text c="dimmed">{texts.quietDays(days)}</Text>;
        return <UsageCharts days={perDay} height={HEIGHT} />;
      }}
    </UsageCard>
  );
}
