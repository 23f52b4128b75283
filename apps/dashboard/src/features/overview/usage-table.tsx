import { formatBytes, formatCount } from "../../components/format.js";
import { DaysTable } from "../../components/usage/days-table.js";
import { overview as texts } from "../../texts/overview.js";
import { usage } from "../../texts/usage.js";
import type { UsageChartsProps } from "./usage-charts.js";

export function UsageTable({ days }: Pick<UsageChartsProps, "days">) {
  return (
    <DaysTable
      label={texts.daysInNumbers(days.length)}
      dayTitle={texts.day}
      days={days}
      numbers={[
        { title: usage.uploads, of: "uploads", format: formatCount },
        { title: usage.uploaded, of: "uploadedBytes", format: formatBytes },
        { title: texts.deletedFiles, of: "deletedFiles", format: formatCount },
        { title: texts.deleted, of: "deletedBytes", format: formatBytes },
      ]}
    />
  );
}
