import type { Case, Profile } from "../case.js";
import { profiles } from "../case.js";
import { allCases } from "../cases/all.js";
import { Context } from "../context.js";
import { Failure, LeftOut } from "../expect/failure.js";
import type { Facts } from "../facts.js";
import { createClient } from "../http/client.js";
import { diagnose, type Diagnosis } from "../report/diagnose.js";
import { type CleanUp, deleteTenants, findTenants, isAbandoned } from "./clean-up.js";
import { connect } from "./connect.js";
import { findFacts } from "./find-facts.js";
import { createTenantNames } from "./tenant-names.js";

export interface Target {
  url: string;
  /** The API key of a project. The run creates tenants of its own in it. */
  key: string;
  /** An origin of the customer's pages. Without it, no CORS rule is asked. */
  origin?: string | undefined;
  /** The name of an image preset of the project. Without it, no variant is asked. */
  preset?: string | undefined;
}

export interface Limits {
  /** @default 30,000 */
  requestTimeoutMs?: number | undefined;
  /** How long the cases may take in all. @default 900,000 */
  timeLimitMs?: number | undefined;
  /** @default depends on the profile */
  maxSentBytes?: number | undefined;
}

export interface VerifyOptions extends Limits {
  /** @default "core" */
  profile?: Profile | undefined;
  /** Only cases whose topic and name contain this text. */
  only?: string | undefined;
  /** Ends the cases. What the run created is deleted all the same. */
  signal?: AbortSignal | undefined;
  /** Called after each case. */
  onResult?: ((result: Result, done: number, total: number) => void) | undefined;
}

export type Result = { topic: string; name: string; durationMs: number } & (
  | { outcome: "passed" }
  | { outcome: "failed"; failure: DescribedFailure }
  | { outcome: "left out"; reason: string }
  | { outcome: "not asked"; reason: string }
);

/** A failure in words. It contains no secret. */
export interface DescribedFailure extends Diagnosis {
  asked: string;
  expected: string;
  got: string;
  requestId: string | null;
}

export interface Report {
  url: string;
  /** Null if the service does not say it. */
  serviceVersion: string | null;
  profile: Profile;
  results: Result[];
  cleanUp: CleanUp;
  requests: number;
  sentBytes: number;
  waitedSeconds: number;
  durationMs: number;
}

const REQUEST_TIMEOUT_MS = 30_000;
const TIME_LIMIT_MS = 15 * 60_000;
const CASE_TIME_LIMIT_MS = 3 * 60_000;
const CLEAN_UP_LIMIT_MS = 5 * 60_000;
const CASES_AT_ONCE = 4;
const MAX_SENT_BYTES: Record<Profile, number> = {
  smoke: 2 * 1024 ** 2,
  core: 16 * 1024 ** 2,
  full: 128 * 1024 ** 2,
};

/** A connection to a target that accepts the key, with what is known of it. */
export type Run = Awaited<ReturnType<typeof startRun>>;

/**
 * Connects to a target and finds out what it has. Call `end` afterwards, also after a failure: it deletes the tenants of the run.
 *
 * @throws {CannotRun} if no case can be asked
 */
export async function startRun(
  target: Target,
  {
    requestTimeoutMs = REQUEST_TIMEOUT_MS,
    maxSentBytes = MAX_SENT_BYTES.full,
    signal = new AbortController().signal,
  }: Limits & { signal?: AbortSignal | undefined } = {},
) {
  const client = createClient({ url: target.url, key: target.key, requestTimeoutMs, maxSentBytes });
  const serviceVersion = await connect(client, target.url, signal);
  const names = createTenantNames(Date.now());

  async function end(): Promise<CleanUp> {
    // Not the signal of the run: what it created is deleted also after it was interrupted.
    const context = new Context({
      client,
      names,
      facts: {} as Facts,
      signal: AbortSignal.timeout(CLEAN_UP_LIMIT_MS),
    });
    const abandoned = await findTenants(context, (id) => isAbandoned(id, Date.now()));
    const result = await deleteTenants(context, [...names.all(), ...abandoned]);
    // An interrupted request may have created its tenant again after that.
    const late = await findTenants(context, (id) => id.startsWith(names.common));
    const isNew = (id: string) => !result.left.some(({ tenant_id }) => tenant_id === id);
    const more = await deleteTenants(context, late.filter(isNew));
    return {
      deletedTenants: result.deletedTenants + more.deletedTenants,
      left: [...result.left, ...more.left],
    };
  }

  let facts: Facts;
  try {
    facts = await findFacts(
      client,
      names,
      { origin: target.origin ?? null, preset: target.preset ?? null },
      signal,
    );
  } catch (error) {
    await end();
    throw error;
  }

  return {
    serviceVersion,
    counts: client.counts,
    end,

    /** Why the target cannot be asked this. Undefined: it can. */
    reasonToLeaveOut: ({ needs }: Case): string | undefined =>
      needs.map((gate) => facts.lacks[gate]).find((reason) => reason !== undefined),

    /** Asks one case. @throws {Failure} @throws {LeftOut} */
    async ask(one: Case): Promise<void> {
      const caseSignal = AbortSignal.any([signal, AbortSignal.timeout(CASE_TIME_LIMIT_MS)]);
      const context = new Context({ client, names, facts, signal: caseSignal });
      try {
        await one.run(context);
      } catch (error) {
        if (signal.aborted || error instanceof Failure || error instanceof LeftOut) throw error;
        throw toFailure(error, one, caseSignal.aborted);
      }
    },

    /** Says in words what a failure is, what its likely cause is, and what to do. */
    describe(failure: Failure): DescribedFailure {
      const { cause, whatToDo } = diagnose(failure);
      return {
        asked: client.redact(failure.asked),
        expected: client.redact(failure.expected),
        got: client.redact(failure.got),
        requestId: failure.answer?.requestId ?? null,
        cause: client.redact(cause),
        whatToDo,
      };
    },
  };
}

/** An error that no expectation of the case throws: it took too long, or an answer lacks what the case reads. */
function toFailure(error: unknown, { topic, name }: Case, isLate: boolean): Failure {
  return new Failure({
    asked: `${topic}: ${name}`,
    expected: isLate ? `an end within ${CASE_TIME_LIMIT_MS / 1000} s` : "answers that the case can read",
    got: isLate ? "none" : String(error),
  });
}

/** The cases of a profile. */
export function casesOf(profile: Profile, only?: string): Case[] {
  const asked = profiles.slice(0, profiles.indexOf(profile) + 1);
  const text = only?.toLowerCase() ?? "";
  return allCases.filter(
    (one) => asked.includes(one.profile) && `${one.topic} ${one.name}`.toLowerCase().includes(text),
  );
}

/**
 * Asks the cases of a profile, deletes what the run created, and reports.
 *
 * @throws {CannotRun} if no case can be asked
 */
export async function verify(target: Target, options: VerifyOptions = {}): Promise<Report> {
  const { profile = "core", timeLimitMs = TIME_LIMIT_MS, onResult } = options;
  const startedAt = Date.now();
  const timeLimit = AbortSignal.timeout(timeLimitMs);
  const signal = options.signal ? AbortSignal.any([options.signal, timeLimit]) : timeLimit;
  const cases = casesOf(profile, options.only);
  const run = await startRun(target, {
    requestTimeoutMs: options.requestTimeoutMs,
    maxSentBytes: options.maxSentBytes ?? MAX_SENT_BYTES[profile],
    signal,
  });
  const results = new Map<Case, Result>();
  const notAsked = () =>
    timeLimit.aborted ? `the run took more than ${timeLimitMs / 1000} s` : "the run was interrupted";
  const record = (one: Case, result: Result) => {
    results.set(one, result);
    onResult?.(result, results.size, cases.length);
  };
  const waiting = [...cases];
  async function work(): Promise<void> {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const startedAt = Date.now();
      const outcome = await askInTurn(run, one, signal, notAsked);
      record(one, { topic: one.topic, name: one.name, durationMs: Date.now() - startedAt, ...outcome });
    }
  }
  let cleanUp: CleanUp;
  try {
    await Promise.all(Array.from({ length: CASES_AT_ONCE }, work));
  } finally {
    cleanUp = await run.end();
  }
  return {
    url: target.url,
    serviceVersion: run.serviceVersion,
    profile,
    results: cases.map((one) => results.get(one)!),
    cleanUp,
    ...run.counts,
    durationMs: Date.now() - startedAt,
  };
}

type Outcome =
  | { outcome: "passed" }
  | { outcome: "failed"; failure: DescribedFailure }
  | { outcome: "left out" | "not asked"; reason: string };

async function askInTurn(run: Run, one: Case, signal: AbortSignal, notAsked: () => string): Promise<Outcome> {
  if (signal.aborted) return { outcome: "not asked", reason: notAsked() };
  const reason = run.reasonToLeaveOut(one);
  if (reason !== undefined) return { outcome: "left out", reason };
  try {
    await run.ask(one);
    return { outcome: "passed" };
  } catch (error) {
    if (error instanceof LeftOut) return { outcome: "left out", reason: error.message };
    if (error instanceof Failure) return { outcome: "failed", failure: run.describe(error) };
    if (signal.aborted) return { outcome: "not asked", reason: notAsked() };
    throw error;
  }
}
