import "@mantine/charts/styles.css";
import { AreaChart, LineChart } from "@mantine/charts";
import { SimpleGrid, Stack, Text } from "@mantine/core";
import type { RequestPeriod } from "@stowage/operator-schemas";
import { tooltipOf } from "../../components/chart-tooltip.js";
import { formatCompact, formatCount, formatMs, formatTime } from "../../components/format.js";
import { health as texts } from "./health-texts.js";
import type { Outputs } from "../../trpc.js";

export interface RequestChartsProps {
  steps: Outputs["health"]["requests"];
  hours: RequestPeriod;
  height: number;
}

/** Requests and the 95th percentile, as steps: a value holds for a whole step and not only at a point. */
export function RequestCharts({ steps, hours, height }: RequestChartsProps) {
  const data = steps.map(({ wrongKeys, refused, ...step }) => ({
    ...step,
    refused: refused + wrongKeys,
    time: formatTime(step.at),
  }));
  // A line along zero would look like a problem.
  const has = (name: "refused" | "failed") => data.some((step) => step[name] > 0);
  const counts = [
    { name: "requests", label: texts.all, color: "var(--chart-bar)" },
    ...(has("refused") ? [{ name: "refused", label: texts.refused, color: "yellow.6" }] : []),
    ...(has("failed") ? [{ name: "failed", label: texts.failed, color: "red.6" }] : []),
  ];
  const latency = [{ name: "p95Ms", label: texts.p95, color: "var(--chart-bar)" }];
  const common = {
    role: "img",
    h: height,
    data,
    dataKey: "time",
    curveType: "stepAfter" as const,
    gridColor: "var(--line)",
    textColor: "var(--mantine-color-dimmed)",
    strokeDasharray: "0",
    tickLine: "none" as const,
    xAxisProps: { minTickGap: 48, tickMargin: 8 },
  };
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
      <Stack gap="xs" miw={0}>
        <Text size="sm" c="dimmed">
          {texts.all}
        </Text>
        <AreaChart
          {...common}
          aria-label={texts.requestsChart(hours)}
          series={counts}
          tooltipProps={tooltipOf(counts, formatCount)}
          withDots={false}
          withLegend
          legendProps={{ verticalAlign: "bottom", height: 28 }}
          withGradient={false}
          fillOpacity={0.15}
          strokeWidth={1.5}
          valueFormatter={formatCompact}
          yAxisProps={{ width: 40, allowDecimals: false }}
          areaChartProps={{ accessibilityLayer: false }}
        />
      </Stack>
      <Stack gap="xs" miw={0}>
        <Text size="sm" c="dimmed">
          {texts.p95}
        </Text>
        <LineChart
          {...common}
          aria-label={texts.latencyChart(hours)}
          series={latency}
          tooltipProps={tooltipOf(latency, formatMs)}
          connectNulls={false}
          // A step between two without requests has no line.
          dotProps={{ r: 1.5 }}
          strokeWidth={1.5}
          valueFormatter={formatMs}
          yAxisProps={{ width: 64 }}
          lineChartProps={{ accessibilityLayer: false }}
        />
      </Stack>
    </SimpleGrid>
  );
}
