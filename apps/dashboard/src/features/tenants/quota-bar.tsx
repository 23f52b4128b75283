import { Badge, Group, Progress, Stack, Text } from "@mantine/core";
import { formatBytes } from "../../components/format.js";
import { tenants as texts } from "./tenants-texts.js";

interface QuotaBarProps {
  tenantId: string;
  usedBytes: number;
  reservedBytes: number;
  /** Null if there is no limit. */
  quotaBytes: number | null;
  size?: "sm" | "lg";
}

/** A tenant's usage as text, and as a bar if the tenant has a quota. */
export function QuotaBar({ tenantId, usedBytes, reservedBytes, quotaBytes, size = "sm" }: QuotaBarProps) {
  const used = formatBytes(usedBytes);
  const text = size === "lg" ? { fz: "xl", fw: 600 } : { size: "sm" };
  if (quotaBytes === null)
    return (
      <Text {...text} className="tabular">
        {texts.noQuota(used)}
      </Text>
    );
  const percent = (bytes: number) => (quotaBytes === 0 ? 100 : Math.min(100, (bytes / quotaBytes) * 100));
  const usedPercent = percent(usedBytes);
  const reservedPercent = Math.min(100 - usedPercent, percent(reservedBytes));
  return (
    <Stack gap={size === "lg" ? "xs" : 3}>
      <Group gap="xs" style={{ rowGap: 0 }}>
        <Text {...text} className="tabular">
          {texts.ofQuota(used, formatBytes(quotaBytes))}
        </Text>
        {usedBytes > quotaBytes && (
          <Badge color="red" variant="light" size="xs" flex="none">
            {texts.overQuota}
          </Badge>
        )}
      </Group>
      <Progress.Root size={size === "lg" ? 6 : 3}>
        <Progress.Section
          value={usedPercent}
          color={colorOf(usedPercent)}
          aria-label={texts.usedOf(tenantId)}
        />
        {reservedBytes > 0 && (
          <Progress.Section value={reservedPercent} color="gray.6" aria-label={texts.reservedOf(tenantId)} />
        )}
      </Progress.Root>
    </Stack>
  );
}

/** From this percentage on, the bar is orange. */
const WARNING_PERCENT = 80;

function colorOf(percent: number): string {
  if (percent >= 100) return "red";
  return percent >= WARNING_PERCENT ? "orange" : "blue";
}
