import { Tooltip } from "@mantine/core";
import { useInterval } from "@mantine/hooks";
import { useState } from "react";
import { formatAgo, formatDateTime } from "./format.js";

const EVERY_MS = 30_000;

/** A moment as people say it, with the exact one for who points at it. */
export function When({ at }: { at: string }) {
  const [now, setNow] = useState(Date.now);
  useInterval(() => setNow(Date.now()), EVERY_MS, { autoInvoke: true });
  return (
    <Tooltip label={formatDateTime(at)}>
      <time dateTime={at}>{formatAgo(at, now)}</time>
    </Tooltip>
  );
}
