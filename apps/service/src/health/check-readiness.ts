import { errorCatalogue, StowageError } from "@stowage/schemas";
import type { Queries } from "#db/client.js";
import type { ObjectStore } from "#object-store/object-store.js";
import { findDatabaseProblem } from "./find-database-problem.js";

export interface ReadinessDeps {
  db: Queries;
  /** Whether a statement failed shortly before because the database's disk is full. */
  isDiskFull: () => boolean;
  store: Pick<ObjectStore, "check">;
  /** True from SIGTERM on. Load balancers must stop sending requests before the server stops listening. */
  isDraining: () => boolean;
}

/** Checks that the service can answer requests. @throws {StowageError} `unavailable`; its detail lists all problems */
export async function checkReadiness(deps: ReadinessDeps): Promise<void> {
  const [database, storageError] = await Promise.all([
    findDatabaseProblem(deps.db),
    deps.store.check().then(
      () => undefined,
      (error: unknown) => error,
    ),
  ]);
  const problems = [
    ...(deps.isDraining() ? ["the service is shutting down"] : []),
    ...(database ? [database.description] : []),
    ...(!database && deps.isDiskFull() ? ["the disk of the database is full"] : []),
    ...(storageError ? [describeStorageError(storageError)] : []),
  ];
  if (problems.length === 0) return;
  const causes = [database?.cause, storageError].filter((cause) => cause !== undefined);
  throw new StowageError("unavailable", {
    detail: `Not ready: ${problems.join(", ")}`,
    retryAfterSeconds: 2,
    cause: causes.length > 0 ? new AggregateError(causes, problems.join(", ")) : undefined,
  });
}

/** The store throws a StowageError with its own message if it knows the reason, such as a missing bucket. */
export function describeStorageError(reason: unknown): string {
  const hasOwnMessage =
    reason instanceof StowageError && reason.message !== errorCatalogue.unavailable.detail;
  return hasOwnMessage ? reason.message : "storage does not answer";
}
