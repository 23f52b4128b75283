import { DataList } from "../../components/data-list.js";
import { formatBytes, formatCount, formatDay } from "../../components/format.js";
import { tenants as texts } from "../../texts/tenants.js";
import type { Outputs } from "../../trpc.js";

/** The days of a chart in numbers, the newest first. */
export function UsageTable({ label, days }: { label: string; days: Outputs["tenants"]["usagePerDay"] }) {
  return (
    <DataList
      label={label}
      rows={days.toReversed()}
      rowKey="day"
      columns={[
        { accessor: "day", title: texts.day, noWrap: true, render: ({ day }) => formatDay(day) },
        {
          accessor: "uploads",
          title: texts.uploads,
          textAlign: "right",
          render: ({ uploads }) => formatCount(uploads),
        },
        {
          accessor: "uploadedBytes",
          title: texts.uploaded,
          textAlign: "right",
          render: ({ uploadedBytes }) => formatBytes(uploadedBytes),
        },
        {
          accessor: "usedBytes",
          title: texts.usedAtEnd,
          textAlign: "right",
          render: ({ usedBytes }) => formatBytes(usedBytes),
        },
      ]}
    />
  );
}
