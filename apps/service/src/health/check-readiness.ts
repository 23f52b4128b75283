import { StowageError } from "@stowage/schemas";
import type { Queries } from "#db/client.js";
import { USES_CLAMAV } from "#db/schema/conditions.js";
import { SECOND_MS } from "#lib/time.js";
import type { ClockCheck } from "./clock-check.js";
import { type CheckedStorages, findStorageProblems, sentenceOf } from "./check-storages.js";
import { readDecoderHealth } from "./decoder-health.js";
import { findDatabaseProblem } from "./find-database-problem.js";
import { readSignals } from "#db/signals.js";

export interface ReadinessDeps {
  db: Queries;
  /** Whether a statement failed shortly before because the database's disk is full. */
  isDiskFull: () => boolean;
  storages: { all: CheckedStorages };
  /** True from SIGTERM on. Load balancers must stop sending requests before the server stops listening. */
  isDraining: () => boolean;
  clock: () => Date;
  clockCheck: Pick<ClockCheck, "findProblem">;
}

export interface Readiness {
  status: "ready";
  /** Whether the virus scanner has answered a worker within the last 8 seconds. Missing if no scanner ever has, or no project scans with it. */
  scanner?: "up" | "down";
  /** Why a worker can decode no image, in words. Missing if all workers can. */
  image_decoder_problem?: string;
  /** Why a storage does not answer, in words, by its name. Missing if all answer, and in an installation with one. */
  storage_problems?: Record<string, string>;
}

/** A worker asks its scanner every two seconds, and waits three seconds for an answer. */
const SCANNER_SILENT_MS = 8 * SECOND_MS;

/**
 * Checks that the service can answer requests. A scanner that is down, a worker that can decode no image, and one of several storages that
 * does not answer are named and do not fail the check, because uploads continue.
 *
 * @throws {StowageError} `unavailable`; its detail lists all problems
 */
export async function checkReadiness(deps: ReadinessDeps): Promise<Readiness> {
  const { all } = deps.storages;
  const [database, storages, clockProblem] = await Promise.all([
    findDatabaseProblem(deps.db),
    findStorageProblems(all),
    // Whether the database answers, the first check says.
    deps.clockCheck.findProblem().catch(() => null),
  ]);
  const failing = storages.length === all.length ? storages : [];
  const problems = [
    ...(deps.isDraining() ? ["the service is shutting down"] : []),
    ...(database ? [database.description] : []),
    ...(!database && deps.isDiskFull() ? ["the disk of the database is full"] : []),
    ...(clockProblem === null ? [] : [clockProblem]),
    ...failing.map(sentenceOf),
  ];
  if (problems.length === 0)
    return {
      status: "ready",
      ...(await readScanner(deps)),
      ...(await readDecoder(deps)),
      ...(storages.length > 0 && {
        storage_problems: Object.fromEntries(storages.map(({ name, problem }) => [name, problem])),
      }),
    };
  const causes = [database?.cause, ...failing.map(({ cause }) => cause)].filter(
    (cause) => cause !== undefined,
  );
  throw new StowageError("unavailable", {
    detail: `Not ready: ${problems.join(", ")}`,
    retryAfterSeconds: 2,
    cause: causes.length > 0 ? new AggregateError(causes, problems.join(", ")) : undefined,
  });
}

async function readScanner({ db, clock }: ReadinessDeps): Promise<Pick<Readiness, "scanner">> {
  // The database has just answered. If it fails now, the next check says so.
  const read = Promise.all([usesScanner(db), readSignals(db)]);
  const [isUsed, signals] = await read.catch(() => [false, undefined] as const);
  if (!isUsed || !signals?.scanner) return {};
  const isDown = clock().getTime() - Date.parse(signals.scanner) > SCANNER_SILENT_MS;
  return { scanner: isDown ? "down" : "up" };
}

async function readDecoder(deps: ReadinessDeps): Promise<Pick<Readiness, "image_decoder_problem">> {
  // The database has just answered. If it fails now, the next check says so.
  const health = await readDecoderHealth(deps).catch(() => null);
  return health?.problem ? { image_decoder_problem: health.problem } : {};
}

/** Whether a project scans with clamd. @throws {StowageError} `unavailable` */
export async function usesScanner(db: Queries): Promise<boolean> {
  return (await db.execute(FIND_SCANNING, [])).length > 0;
}

/* The index projects_with_clamav has the same conditions. */
const FIND_SCANNING = `select id from projects where ${USES_CLAMAV} limit 1`;
