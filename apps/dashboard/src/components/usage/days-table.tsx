import { DataList } from "../data-list.js";
import { formatDay } from "../format.js";
import { usage as texts } from "./usage-texts.js";

/** A column of numbers: `of` names the member of a day to show. */
export interface DayColumn<Day> {
  title: string;
  of: keyof Day & string;
  format: (value: number) => string;
}

/** The data of a chart as a table, newest day first. */
export function DaysTable<Day extends { day: string }>(props: {
  label: string;
  dayTitle: string;
  days: Day[];
  numbers: DayColumn<NoInfer<Day>>[];
}) {
  return (
    <DataList
      label={props.label}
      rows={props.days.toReversed()}
      rowKey="day"
      columns={[
        { id: "day", title: props.dayTitle, noWrap: true, render: ({ day }) => formatDay(day) },
        ...props.numbers.map(({ title, of, format }) => ({
          id: of,
          title,
          textAlign: "right" as const,
          render: (day: Day) => (day[of] === null ? texts.unknown : format(Number(day[of]))),
        })),
      ]}
    />
  );
}
