import { Code, SimpleGrid, Stack, Text } from "@mantine/core";
import { formatBytes, formatCount } from "../format.js";
import { DayBars } from "./day-bars.js";
import { type DownloadDay, hasAccessLogs, hasDownloads } from "./downloads.js";
import { usage as texts } from "./usage-texts.js";

/** Signed downloads, their bytes, and the bytes that access logs say were delivered, per day. */
export function DownloadBars({ days, height }: { days: DownloadDay[]; height: number }) {
  if (!hasDownloads(days)) return <Text c="dimmed">{texts.noDownloads(days.length)}</Text>;
  const bars = (of: Exclude<keyof DownloadDay, "day">, unit: "bytes" | "count") => (
    <DayBars
      label={texts.perDay(texts[of], days.length)}
      title={texts[of]}
      figure={(unit === "bytes" ? formatBytes : formatCount)(
        days.reduce((sum, day) => sum + (day[of] ?? 0), 0),
      )}
      days={days}
      of={of}
      unit={unit}
      height={height}
    />
  );
  return (
    <SimpleGrid cols={{ base: 1, lg: 3 }} spacing="xl">
      {bars("downloadsSigned", "count")}
      {bars("bytesSigned", "bytes")}
      {hasAccessLogs(days) ? (
        bars("bytesDelivered", "bytes")
      ) : (
        <Stack gap="xs" align="flex-start">
          <Text size="sm" c="dimmed">
            {texts.bytesDelivered}
          </Text>
          <Text size="sm">{texts.noAccessLogs}</Text>
          <Code>stowage meter import-logs</Code>
        </Stack>
      )}
    </SimpleGrid>
  );
}
