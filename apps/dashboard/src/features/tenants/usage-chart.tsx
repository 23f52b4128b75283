import "@mantine/charts/styles.css";
import { AreaChart } from "@mantine/charts";
import { byteTicks } from "../../components/byte-ticks.js";
import { formatBytes, formatShortDay } from "../../components/format.js";
import { tenants as texts } from "../../texts/tenants.js";
import type { Outputs } from "../../trpc.js";

export interface UsageChartProps {
  label: string;
  days: Outputs["tenants"]["usagePerDay"];
  height: number;
}

/** Storage used per day. Screen reader users can switch to the table. */
export function UsageChart({ label, days, height }: UsageChartProps) {
  const ticks = byteTicks(Math.max(...days.map(({ usedBytes }) => usedBytes)));
  return (
    <AreaChart
      role="img"
      aria-label={label}
      h={height}
      data={days.map(({ day, usedBytes }) => ({ day: formatShortDay(day), usedBytes }))}
      dataKey="day"
      series={[{ name: "usedBytes", label: texts.usedAtEnd, color: "blue.6" }]}
      valueFormatter={formatBytes}
      curveType="monotone"
      withDots={false}
      yAxisProps={{ width: 80, ticks, domain: [0, ticks.at(-1)!] }}
      xAxisProps={{ minTickGap: 32 }}
      areaChartProps={{ accessibilityLayer: false }}
    />
  );
}
