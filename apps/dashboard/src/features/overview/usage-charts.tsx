import "@mantine/charts/styles.css";
import { BarChart } from "@mantine/charts";
import { SimpleGrid } from "@mantine/core";
import { byteTicks } from "../../components/byte-ticks.js";
import { formatBytes, formatCount, formatShortDay } from "../../components/format.js";
import { overview as texts } from "../../texts/overview.js";
import { usage } from "../../texts/usage.js";
import type { Outputs } from "../../trpc.js";

export interface UsageChartsProps {
  days: Outputs["overview"]["perDay"];
  height: number;
}

/** Uploads and uploaded bytes per day. Screen reader users can switch to the table. */
export function UsageCharts({ days, height }: UsageChartsProps) {
  const data = days.map(({ day, uploads, uploadedBytes }) => ({
    day: formatShortDay(day),
    uploads,
    uploadedBytes,
  }));
  const ticks = byteTicks(Math.max(...days.map(({ uploadedBytes }) => uploadedBytes)));
  const common = {
    role: "img",
    h: height,
    data,
    dataKey: "day",
    xAxisProps: { minTickGap: 32 },
    barChartProps: { accessibilityLayer: false },
    maxBarWidth: 40,
  };
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <BarChart
        {...common}
        aria-label={texts.uploadsPerDay(days.length)}
        series={[{ name: "uploads", label: usage.uploads, color: "blue.6" }]}
        valueFormatter={formatCount}
        yAxisProps={{ width: 60, allowDecimals: false }}
        withLegend
        legendProps={{ verticalAlign: "top", height: 32 }}
      />
      <BarChart
        {...common}
        aria-label={texts.bytesPerDay(days.length)}
        series={[{ name: "uploadedBytes", label: usage.uploaded, color: "teal.6" }]}
        valueFormatter={formatBytes}
        yAxisProps={{ width: 80, ticks, domain: [0, ticks.at(-1)!] }}
        withLegend
        legendProps={{ verticalAlign: "top", height: 32 }}
      />
    </SimpleGrid>
  );
}
