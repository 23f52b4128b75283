import { DataList } from "../../components/data-list.js";
import { formatBytes, formatCount, formatDay } from "../../components/format.js";
import { overview as texts } from "../../texts/overview.js";
import type { Outputs } from "../../trpc.js";

type Day = Outputs["overview"]["perDay"][number];

const number = (accessor: keyof Day & string, title: string, format: (value: number) => string) => ({
  accessor,
  title,
  textAlign: "right" as const,
  render: (day: Day) => format(Number(day[accessor])),
});

/** The days of the charts in numbers, the newest first. */
export function UsageTable({ days }: { days: Day[] }) {
  return (
    <DataList
      label={texts.daysInNumbers(days.length)}
      rows={days.toReversed()}
      rowKey="day"
      columns={[
        { accessor: "day", title: texts.day, noWrap: true, render: ({ day }) => formatDay(day) },
        number("uploads", texts.uploads, formatCount),
        number("uploadedBytes", texts.uploaded, formatBytes),
        number("deletedFiles", texts.deletedFiles, formatCount),
        number("deletedBytes", texts.deleted, formatBytes),
      ]}
    />
  );
}
