import { errorCatalogue } from "@stowage/schemas";

/** `calm`: no fault during the whole request, and none shortly before. */
export type Phase = "calm" | "fault";

/** What one request came to. */
export type Outcome =
  | { kind: "answered"; status: number; code: string | null }
  /** The connection broke, so the request may have been executed or not. */
  | { kind: "broken"; reason: string }
  /** No answer within the longest time that the service may take. */
  | { kind: "hung" };

export interface Statistics {
  add(call: string, phase: Phase, outcome: Outcome, tookMs: number): void;
  requests(): number;
  /** How often each outcome was seen, by call: `200`, `503 unavailable`, `broken`. */
  outcomes(): Map<string, Map<string, number>>;
  /** What failed although there was no fault, and how often. */
  failedWhenCalm(): Map<string, number>;
  /** In milliseconds, of the calls of the API that were answered with 200. */
  latency(phase: Phase): { count: number; median: number; p99: number; max: number };
}

export function createStatistics(): Statistics {
  const outcomes = new Map<string, Map<string, number>>();
  const times: Record<Phase, number[]> = { calm: [], fault: [] };
  let requests = 0;
  const failedWhenCalm = new Map<string, number>();
  return {
    add(call, phase, outcome, tookMs) {
      requests++;
      const name = nameOf(outcome);
      const ofCall = outcomes.get(call) ?? new Map<string, number>();
      outcomes.set(call, ofCall.set(name, (ofCall.get(name) ?? 0) + 1));
      const isAnswered = outcome.kind === "answered";
      if (phase === "calm" && (!isAnswered || outcome.status >= 500)) {
        const failure = `${call}: ${name}`;
        failedWhenCalm.set(failure, (failedWhenCalm.get(failure) ?? 0) + 1);
      }
      // A call for events waits for them.
      const isTimed = !call.startsWith("storage") && call !== "events";
      if (isAnswered && outcome.status === 200 && isTimed) times[phase].push(tookMs);
    },
    requests: () => requests,
    outcomes: () => outcomes,
    failedWhenCalm: () => failedWhenCalm,
    latency(phase) {
      const sorted = times[phase].toSorted((a, b) => a - b);
      const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
      return { count: sorted.length, median: at(0.5), p99: at(0.99), max: at(1) };
    },
  };
}

const nameOf = (outcome: Outcome): string =>
  outcome.kind === "answered"
    ? [outcome.status, outcome.code].filter(Boolean).join(" ")
    : outcome.kind === "broken"
      ? `broken (${outcome.reason})`
      : "no answer";

/**
 * Judges an error answer by the catalogue.
 *
 * @returns why the contract forbids it; null for a documented error
 */
export function problemOfError(answer: { status: number; headers: Headers; body: unknown }): string | null {
  const code = answer.headers.get("x-error-code");
  const entry =
    code !== null && code in errorCatalogue ? errorCatalogue[code as keyof typeof errorCatalogue] : undefined;
  const { detail, ...more } = (answer.body ?? {}) as { detail?: unknown };
  if (answer.status === 500) return "500";
  if (!entry || entry.status !== answer.status) return `${answer.status} with the code ${code}`;
  if (typeof detail !== "string" || Object.keys(more).some((name) => name !== "reserved_bytes"))
    return `${answer.status} without a detail alone: ${JSON.stringify(answer.body)}`;
  if ([429, 503].includes(answer.status) && !answer.headers.has("retry-after"))
    return `${answer.status} without Retry-After`;
  return null;
}
