import { Stack } from "@mantine/core";
import { formatBytes } from "../../components/format.js";
import { DayBars } from "../../components/usage/day-bars.js";
import { DownloadBars } from "../../components/usage/download-bars.js";
import { tenants as texts } from "./tenants-texts.js";
import type { Outputs } from "../../trpc.js";

export interface UsageChartProps {
  label: string;
  days: Outputs["tenants"]["usagePerDay"];
  height: number;
}

/** Storage used and downloads per day. */
export function UsageChart({ label, days, height }: UsageChartProps) {
  return (
    <Stack gap="xl">
      <DayBars
        label={label}
        title={texts.usedAtEnd}
        figure={formatBytes(days.at(-1)?.usedBytes ?? 0)}
        days={days}
        of="usedBytes"
        unit="bytes"
        height={height}
      />
      <DownloadBars days={days} height={height} />
    </Stack>
  );
}
