import { useEffect, useState } from "react";

/** The longest delay of `setTimeout`. A longer one would fire immediately. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Whether a time has passed. Renders again at that moment. */
export function useHasPassed(at: string): boolean {
  const [now, setNow] = useState(Date.now);
  const remainingMs = Date.parse(at) - now;
  useEffect(() => {
    if (remainingMs <= 0) return undefined;
    // One millisecond more, because a timer may fire slightly early, and the component would not render again.
    const timer = setTimeout(() => setNow(Date.now()), Math.min(remainingMs + 1, MAX_DELAY_MS));
    return () => clearTimeout(timer);
  }, [remainingMs]);
  return remainingMs <= 0;
}
