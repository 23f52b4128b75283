import { DataList } from "../data-list.js";
import { formatDay } from "../format.js";

/** What stands in a column: a title, the number of a day, and how it is written. */
export interface NumberOfDays<Day> {
  title: string;
  of: keyof Day & string;
  format: (value: number) => string;
}

/** The days of a chart in numbers, the newest first. */
export function DaysTable<Day extends { day: string }>(props: {
  label: string;
  dayTitle: string;
  days: Day[];
  numbers: NumberOfDays<Day>[];
}) {
  return (
    <DataList
      label={props.label}
      rows={props.days.toReversed()}
      rowKey="day"
      columns={[
        { accessor: "day", title: props.dayTitle, noWrap: true, render: ({ day }) => formatDay(day) },
        ...props.numbers.map(({ title, of, format }) => ({
          accessor: of,
          title,
          textAlign: "right" as const,
          render: (day: Day) => format(Number(day[of])),
        })),
      ]}
    />
  );
}
