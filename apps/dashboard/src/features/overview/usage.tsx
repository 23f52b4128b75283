import { Text } from "@mantine/core";
import type { OverviewDays } from "@stowage/operator-schemas";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { formatBytes, formatCount } from "../../components/format.js";
import { DaysTable } from "../../components/usage/days-table.js";
import { downloadColumns, hasDownloads } from "../../components/usage/downloads.js";
import { lazyChart } from "../../components/usage/lazy-chart.js";
import { UsageCard } from "../../components/usage/usage-card.js";
import { overview as texts } from "../../components/overview-texts.js";
import { usage } from "../../components/usage/usage-texts.js";
import { trpc } from "../../trpc.js";
import type { UsageChartsProps } from "./usage-charts.js";
import { withUsedBytes } from "./used-per-day.js";

const UsageCharts = lazyChart(async () => (await import("./usage-charts.js")).UsageCharts, UsageTable);

export const DEFAULT_DAYS: OverviewDays = 30;
const CHART_HEIGHT = 220;

/**
 * Storage, uploads, deletions and downloads of the last days. The number of days is a search parameter.
 *
 * @param props.usedBytes what is stored now
 */
export function Usage(props: { projectRef: string; days: OverviewDays; usedBytes: number }) {
  const { projectRef, days, usedBytes } = props;
  const navigate = useNavigate();
  const query = trpc.overview.perDay.useQuery({ projectRef, days }, { placeholderData: keepPreviousData });
  const showDays = (chosen: OverviewDays) =>
    void navigate({
      to: "/projects/$projectRef",
      params: { projectRef },
      search: chosen === DEFAULT_DAYS ? {} : { days: chosen },
      resetScroll: false,
    });
  return (
    <UsageCard
      title={texts.usage}
      displayAs={texts.displayAs}
      days={days}
      onDays={showDays}
      query={query}
      chartHeight={CHART_HEIGHT}
    >
      {(changes, shown) => {
        const perDay = withUsedBytes(changes, usedBytes);
        if (shown === "table") return <UsageTable days={perDay} />;
        if (
          !hasDownloads(perDay) &&
          perDay.every(({ uploads, deletedFiles }) => uploads + deletedFiles === 0)
        )
          return <Text c="dimmed">{texts.noUsage(days)}</Text>;
        return <UsageCharts days={perDay} height={CHART_HEIGHT} />;
      }}
    </UsageCard>
  );
}

function UsageTable({ days }: Pick<UsageChartsProps, "days">) {
  return (
    <DaysTable
      label={texts.usageTable(days.length)}
      dayTitle={texts.day}
      days={days}
      numbers={[
        { title: texts.usedAtEnd, of: "usedBytes", format: formatBytes },
        { title: usage.uploads, of: "uploads", format: formatCount },
        { title: usage.uploaded, of: "uploadedBytes", format: formatBytes },
        { title: texts.deletedFiles, of: "deletedFiles", format: formatCount },
        { title: texts.deletedBytes, of: "deletedBytes", format: formatBytes },
        ...downloadColumns,
      ]}
    />
  );
}
