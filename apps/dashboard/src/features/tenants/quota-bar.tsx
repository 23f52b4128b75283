import { Badge, Group, Progress, Stack, Text } from "@mantine/core";
import { formatBytes } from "../../components/format.js";
import { tenants as texts } from "../../texts/tenants.js";

interface QuotaBarProps {
  tenantId: string;
  usedBytes: number;
  reservedBytes: number;
  /** Null: no limit. */
  quotaBytes: number | null;
  size?: "sm" | "lg";
}

/** How much of its quota a tenant uses: in words, and as a bar where there is a limit. */
export function QuotaBar({ tenantId, usedBytes, reservedBytes, quotaBytes, size = "sm" }: QuotaBarProps) {
  const used = formatBytes(usedBytes);
  if (quotaBytes === null) return <Text size={size}>{texts.noQuota(used)}</Text>;
  const share = (bytes: number) => (quotaBytes === 0 ? 100 : Math.min(100, (bytes / quotaBytes) * 100));
  const usedShare = share(usedBytes);
  const reservedShare = Math.min(100 - usedShare, share(reservedBytes));
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Text size={size}>{texts.ofQuota(used, formatBytes(quotaBytes))}</Text>
        {usedBytes > quotaBytes && (
          <Badge color="red" variant="light" size="sm">
            {texts.overQuota}
          </Badge>
        )}
      </Group>
      <Progress.Root size={size}>
        <Progress.Section value={usedShare} color={colorOf(usedShare)} aria-label={texts.usedOf(tenantId)} />
        {reservedBytes > 0 && (
          <Progress.Section value={reservedShare} color="gray.6" aria-label={texts.reservedOf(tenantId)} />
        )}
      </Progress.Root>
    </Stack>
  );
}

/** From here on a bar says that there is little room left. */
const NEARLY_FULL = 80;

function colorOf(share: number): string {
  if (share >= 100) return "red";
  return share >= NEARLY_FULL ? "orange" : "blue";
}
