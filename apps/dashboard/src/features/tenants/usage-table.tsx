import { formatBytes, formatCount } from "../../components/format.js";
import { DaysTable } from "../../components/usage/days-table.js";
import { tenants as texts } from "../../texts/tenants.js";
import { usage } from "../../texts/usage.js";
import type { UsageChartProps } from "./usage-chart.js";

export function UsageTable({ label, days }: Omit<UsageChartProps, "height">) {
  return (
    <DaysTable
      label={label}
      dayTitle={texts.day}
      days={days}
      numbers={[
        { title: usage.uploads, of: "uploads", format: formatCount },
        { title: usage.uploaded, of: "uploadedBytes", format: formatBytes },
        { title: texts.usedAtEnd, of: "usedBytes", format: formatBytes },
      ]}
    />
  );
}
