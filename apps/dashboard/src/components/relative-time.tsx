import { useInterval } from "@mantine/hooks";
import { useState } from "react";
import { formatAgo, formatDateTime } from "./format.js";
import { Tooltip } from "./tooltip.js";

const REFRESH_MS = 30_000;

/** A time such as "3 hours ago". The tooltip shows the exact time. */
export function RelativeTime({ at }: { at: string }) {
  const [now, setNow] = useState(Date.now);
  useInterval(() => setNow(Date.now()), REFRESH_MS, { autoInvoke: true });
  return (
    <Tooltip label={formatDateTime(at)}>
      <time dateTime={at}>{formatAgo(at, now)}</time>
    </Tooltip>
  );
}
