import { SimpleGrid, Stack } from "@mantine/core";
import { formatBytes, formatCount } from "../../components/format.js";
import { DayBars } from "../../components/usage/day-bars.js";
import { DownloadBars } from "../../components/usage/download-bars.js";
import { overview as texts } from "../../components/overview-texts.js";
import { usage } from "../../components/usage/usage-texts.js";
import type { Outputs } from "../../trpc.js";

export interface UsageChartsProps {
  days: (Outputs["overview"]["perDay"][number] & { usedBytes: number })[];
  height: number;
}

/** Stored bytes, uploads, uploaded bytes and downloads per day. */
export function UsageCharts({ days, height }: UsageChartsProps) {
  return (
    <Stack gap="xl">
      <SimpleGrid cols={{ base: 1, lg: 3 }} spacing="xl">
        <DayBars
          label={texts.usedPerDay(days.length)}
          title={texts.usedAtEnd}
          figure={formatBytes(days.at(-1)?.usedBytes ?? 0)}
          days={days}
          of="usedBytes"
          unit="bytes"
          height={height}
        />
        <DayBars
          label={texts.uploadsPerDay(days.length)}
          title={usage.uploads}
          figure={formatCount(sum(days, "uploads"))}
          days={days}
          of="uploads"
          unit="count"
          height={height}
        />
        <DayBars
          label={texts.bytesPerDay(days.length)}
          title={usage.uploaded}
          figure={formatBytes(sum(days, "uploadedBytes"))}
          days={days}
          of="uploadedBytes"
          unit="bytes"
          height={height}
        />
      </SimpleGrid>
      <DownloadBars days={days} height={height} />
    </Stack>
  );
}

function sum(days: UsageChartsProps["days"], of: "uploads" | "uploadedBytes"): number {
  return days.reduce((total, day) => total + day[of], 0);
}
