import "@mantine/charts/styles.css";
import { BarChart } from "@mantine/charts";
import { Group, Stack, Text } from "@mantine/core";
import { byteTicks } from "../byte-ticks.js";
import { tooltipOf } from "../chart-tooltip.js";
import { formatBytes, formatCompact, formatCount, formatShortDay } from "../format.js";

/**
 * One bar for each day, from zero. Bars do not suggest values between two days, as a line would. Screen reader users can switch
 * to the table.
 */
export function DayBars<Day extends { day: string }>(props: {
  /** Accessible name: what is shown, and for which days. */
  label: string;
  /** Name of the numbers, above the chart and in the tooltip. */
  title: string;
  /** The figure beside the title, such as the sum of all days. */
  figure: string;
  days: Day[];
  /** The member of a day to show. */
  of: keyof Day & string;
  unit: "bytes" | "count";
  height: number;
}) {
  const { days, of, unit } = props;
  const max = Math.max(...days.map((day) => Number(day[of])));
  const series = [{ name: of, label: props.title, color: "var(--chart-bar)" }];
  const format = unit === "bytes" ? formatBytes : formatCount;
  const ticks = unit === "bytes" ? byteTicks(max) : countTicks(max);
  return (
    <Stack gap="xs" miw={0}>
      <Group gap="xs" align="baseline">
        <Text size="sm" c="dimmed">
          {props.title}
        </Text>
        <Text size="sm" fw={600} className="tabular">
          {props.figure}
        </Text>
      </Group>
      <BarChart
        role="img"
        aria-label={props.label}
        h={props.height}
        data={days.map((day) => ({ day: formatShortDay(day.day), [of]: day[of] }))}
        dataKey="day"
        series={series}
        valueFormatter={unit === "bytes" ? formatBytes : formatCompact}
        tooltipProps={tooltipOf(series, format)}
        gridColor="var(--line)"
        textColor="var(--mantine-color-dimmed)"
        strokeDasharray="0"
        tickLine="none"
        maxBarWidth={28}
        xAxisProps={{ minTickGap: 48, tickMargin: 8 }}
        yAxisProps={{ width: unit === "bytes" ? 64 : 40, ticks, domain: [0, ticks.at(-1)!] }}
        barProps={{ radius: [2, 2, 0, 0], isAnimationActive: false }}
        cursorFill="var(--mantine-color-default-hover)"
        barChartProps={{ accessibilityLayer: false, barCategoryGap: "20%", margin: { top: 8 } }}
      />
    </Stack>
  );
}

/** Returns at most five ticks at whole numbers: 0, 1, 2 or 0, 5, 10. The last one is at least `max`. */
function countTicks(max: number): number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, max / 4)));
  const step = Math.max(1, power * [1, 2, 5, 10].find((times) => max <= 4 * power * times)!);
  return Array.from({ length: Math.max(1, Math.ceil(max / step)) + 1 }, (_, i) => i * step);
}
