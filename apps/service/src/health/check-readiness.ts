import { errorCatalogue, StowageError } from "@stowage/schemas";
import { sql } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import type { ObjectStore } from "#object-store/object-store.js";

export interface ReadinessDeps {
  db: Queries;
  store: Pick<ObjectStore, "check">;
  /** True from SIGTERM on. Load balancers must stop sending requests before the server stops listening. */
  isDraining: () => boolean;
}

/** Checks that the service can answer requests. @throws {StowageError} `unavailable`; its detail lists all problems */
export async function checkReadiness(deps: ReadinessDeps): Promise<void> {
  const [database, storage] = await Promise.allSettled([
    deps.db.run((db) => db.execute(sql`select 1`)),
    deps.store.check(),
  ]);
  const problems = [
    ...(deps.isDraining() ? ["the service is shutting down"] : []),
    ...(database.status === "rejected" ? ["the database does not answer"] : []),
    ...(storage.status === "rejected" ? [describeStorageError(storage.reason)] : []),
  ];
  if (problems.length === 0) return;
  const causes = [database, storage].flatMap((result) =>
    result.status === "rejected" ? [result.reason] : [],
  );
  throw new StowageError("unavailable", {
    detail: `Not ready: ${problems.join(", ")}`,
    retryAfterSeconds: 2,
    cause: causes.length > 0 ? new AggregateError(causes, problems.join(", ")) : undefined,
  });
}

/** The store throws a StowageError with its own message if it knows the reason, such as a missing bucket. */
function describeStorageError(reason: unknown): string {
  const hasOwnMessage =
    reason instanceof StowageError && reason.message !== errorCatalogue.unavailable.detail;
  return hasOwnMessage ? reason.message : "storage does not answer";
}
