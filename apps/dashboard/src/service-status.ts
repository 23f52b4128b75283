/**
 * Whether the service answers. `checking` follows the first failed call, until `/readyz` was asked.
 *
 * - `offline`: the browser has no network.
 * - `unreachable`: the service does not answer.
 * - `failing`: the service answers, but cannot serve. `problem` is its own sentence, null if it gives none.
 */
export type ServiceStatus =
  | { state: "answering" | "checking" | "offline" | "unreachable" }
  | { state: "failing"; problem: string | null };

/** What `/readyz` says. */
export type Readiness = { isAnswered: false } | { isAnswered: true; problem: string | null };

interface ServiceStatusDeps {
  readReadiness: () => Promise<Readiness>;
  isOnline: () => boolean;
  /** Between 0 and 1. Spreads the checks of many browsers. */
  random: () => number;
}

const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 15_000;
/** A failed call within this time after an outage is a relapse. */
const RELAPSE_MS = 30_000;

/**
 * Watches an outage: a failed call starts it, and it ends when a check succeeds. Between checks it waits 1 s, then twice as long each
 * time, at most 15 s, and up to a fifth less by chance.
 *
 * A single call can fail again and again while all checks succeed. Each recovery repeats the calls of the page, so after each relapse
 * the recovery waits twice as long.
 */
export function createServiceStatus({ readReadiness, isOnline, random }: ServiceStatusDeps) {
  let status: ServiceStatus = { state: "answering" };
  let attempts = 0;
  let relapses = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let relapseTimer: ReturnType<typeof setTimeout> | undefined;
  let isChecking = false;
  let retryFailedCalls: () => Promise<boolean> = async () => true;
  const listeners = new Set<() => void>();

  const set = (next: ServiceStatus) => {
    status = next;
    for (const listener of listeners) listener();
  };

  /** @param mayEnd if false, no calls are repeated and the outage does not end */
  async function check(mayEnd = true): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    clearTimeout(timer);
    const readiness = await readReadiness();
    const isServing = mayEnd && readiness.isAnswered && (await retryFailedCalls());
    isChecking = false;
    if (!readiness.isAnswered) set({ state: isOnline() ? "unreachable" : "offline" });
    else if (isServing && readiness.problem === null) {
      attempts = 0;
      expectRelapse();
      return set({ state: "answering" });
    } else set({ state: "failing", problem: readiness.problem });
    const delayMs = Math.min(FIRST_DELAY_MS * 2 ** attempts++, MAX_DELAY_MS);
    timer = setTimeout(() => void check(), delayMs * (1 - random() / 5));
  }

  function expectRelapse(): void {
    clearTimeout(relapseTimer);
    relapseTimer = setTimeout(() => {
      relapseTimer = undefined;
      relapses = 0;
    }, RELAPSE_MS);
  }

  return {
    get: (): ServiceStatus => status,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Call it when the service did not answer a call, or answered `unavailable`. */
    reportFailure(): void {
      if (status.state !== "answering") return;
      const isRelapse = relapseTimer !== undefined;
      clearTimeout(relapseTimer);
      relapseTimer = undefined;
      if (isRelapse) attempts = relapses++;
      set({ state: "checking" });
      void check(!isRelapse);
    },
    /** Call it when the browser loses its network. */
    reportOffline(): void {
      set({ state: "offline" });
      void check();
    },
    /** Checks at once, and starts with short delays again. */
    checkNow(): void {
      if (status.state === "answering") return;
      attempts = 0;
      void check();
    },
    /** @param retry repeats failed calls, and resolves with whether the service answered */
    onServiceBack(retry: () => Promise<boolean>): void {
      retryFailedCalls = retry;
    },
    /** Resolves when the status meets a condition. */
    until(condition: (status: ServiceStatus) => boolean): Promise<void> {
      return new Promise((resolve) => {
        const resolveIfMet = () => {
          if (!condition(status)) return;
          listeners.delete(resolveIfMet);
          resolve();
        };
        listeners.add(resolveIfMet);
        resolveIfMet();
      });
    },
  };
}
