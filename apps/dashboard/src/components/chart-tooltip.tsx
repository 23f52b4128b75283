import { ColorSwatch, getThemeColor, Group, Paper, Text, useMantineTheme } from "@mantine/core";

interface Series {
  /** The member of a data point that the series shows. */
  name: string;
  label: string;
  color: string;
}

/**
 * The values of all series at one point. Mantine's own tooltip renders each value beside an optional unit, so in a page that the browser
 * translates it would keep the values of the first point.
 *
 * @param props.series in the order of the rows
 * @param props.point the data of the point, as the chart got it
 */
function ChartTooltip(props: {
  label: string;
  series: Series[];
  point: Record<string, unknown>;
  format(value: number): string;
}) {
  const theme = useMantineTheme();
  return (
    <Paper px="md" py="xs" withBorder shadow="md">
      <Text size="sm" fw={500}>
        {props.label}
      </Text>
      {props.series.map(({ name, label, color }) => {
        const value = props.point[name];
        return typeof value === "number" ? (
          <Group key={name} justify="space-between" gap="xl">
            <Group gap="xs">
              <ColorSwatch size={12} color={getThemeColor(color, theme)} withShadow={false} />
              <Text size="sm">{label}</Text>
            </Group>
            <Text size="sm" className="tabular">
              {props.format(value)}
            </Text>
          </Group>
        ) : null;
      })}
    </Paper>
  );
}

/** The setting of a chart that shows {@link ChartTooltip}. */
export function tooltipOf(series: Series[], format: (value: number) => string) {
  return {
    content: ({ label, payload }: { label?: unknown; payload?: readonly { payload?: unknown }[] }) =>
      payload?.[0] ? (
        <ChartTooltip
          label={String(label)}
          series={series}
          point={payload[0].payload as Record<string, unknown>}
          format={format}
        />
      ) : null,
  };
}
