import { Group, SegmentedControl } from "@mantine/core";
import { usage as texts } from "./usage-texts.js";

export type ChartView = "chart" | "table";

/** Chooses between a chart and a table, and the period that both show. */
export function ChartControls<Period extends number>(props: {
  /** Accessible name of the choice between chart and table. */
  displayAs: string;
  view: ChartView;
  onView: (view: ChartView) => void;
  /** Accessible name of the choice of the period. @default "Period" */
  periodLabel?: string;
  periods: readonly Period[];
  period: Period;
  onPeriod: (period: Period) => void;
  /** Names a period, such as "30 days". */
  labelOf: (period: Period) => string;
}) {
  const { displayAs, view, onView, periods, period, onPeriod, labelOf } = props;
  return (
    <Group gap="xs">
      <SegmentedControl
        aria-label={displayAs}
        value={view}
        onChange={onView}
        data={[
          { value: "chart", label: texts.asChart },
          { value: "table", label: texts.asTable },
        ]}
      />
      <SegmentedControl
        aria-label={props.periodLabel ?? texts.period}
        value={String(period)}
        onChange={(value) => onPeriod(periods.find((each) => String(each) === value)!)}
        data={periods.map((each) => ({ value: String(each), label: labelOf(each) }))}
      />
    </Group>
  );
}
