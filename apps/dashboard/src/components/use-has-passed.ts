import { useEffect, useState } from "react";

/** The longest delay of `setTimeout`. A longer one would fire immediately. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Whether a time has passed. Renders again at that moment. */
export function useHasPassed(at: string): boolean {
  const [now, setNow] = useState(Date.now);
  const atMs = Date.parse(at);
  const hasPassed = atMs <= now;
  useEffect(() => {
    if (hasPassed) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const check = () => {
      const nowMs = Date.now();
      if (nowMs >= atMs) setNow(nowMs);
      else wait(atMs - nowMs);
    };
    // A timer may fire slightly early, and not later than its longest delay. It is then set again.
    const wait = (remainingMs: number) => {
      timer = setTimeout(check, Math.min(remainingMs, MAX_DELAY_MS));
    };
    // From the current time: `now` may be the time of an earlier render.
    wait(Math.max(0, atMs - Date.now()));
    return () => clearTimeout(timer);
  }, [atMs, hasPassed]);
  return hasPassed;
}
