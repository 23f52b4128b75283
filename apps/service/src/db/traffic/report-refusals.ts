/** Calls of a lane that got no answer, for the log. It names no owner and no statement. */
export interface RefusalReport {
  reason: string;
  /** How many, since the last report of this reason. */
  calls: number;
  /** The connections of the lane, its statements that ran, and its calls that waited, when the last of these calls was refused. */
  connections: number;
  running: number;
  waiting: number;
  /** How long the last one took, and for how much of this time the event loop was blocked. */
  tookMs: number;
  blockedMs: number;
}

const INTERVAL_MS = 10_000;

/** Returns a function that is told each refused call, and reports them so seldom that a flood does not fill the log. */
export function createRefusalReporter(
  onReport: (report: RefusalReport) => void,
  now: () => number = () => performance.now(),
): (reason: string, call: Omit<RefusalReport, "reason" | "calls">) => void {
  const reasons = new Map<string, { calls: number; reportedAt: number }>();
  return (reason, call) => {
    const { calls, reportedAt } = reasons.get(reason) ?? { calls: 0, reportedAt: -Infinity };
    const isDue = now() - reportedAt >= INTERVAL_MS;
    reasons.set(reason, isDue ? { calls: 0, reportedAt: now() } : { calls: calls + 1, reportedAt });
    if (isDue) onReport({ reason, calls: calls + 1, ...call });
  };
}
