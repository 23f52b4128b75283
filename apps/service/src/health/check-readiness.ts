import { errorCatalogue, StowageError } from "@stowage/schemas";
import { sql } from "drizzle-orm";
import type { Database } from "#db/client.js";
import type { ObjectStore } from "#object-store/object-store.js";

export interface ReadinessDeps {
  db: Database;
  store: Pick<ObjectStore, "check">;
  /** True from SIGTERM on: a load balancer must stop sending before the server stops listening. */
  isDraining: () => boolean;
}

/** @throws {StowageError} `unavailable`, its detail naming all that is missing. */
export async function checkReadiness(deps: ReadinessDeps): Promise<void> {
  const [database, storage] = await Promise.allSettled([
    deps.db.run((db) => db.execute(sql`select 1`)),
    deps.store.check(),
  ]);
  const missing = [
    ...(deps.isDraining() ? ["the service is shutting down"] : []),
    ...(database.status === "rejected" ? ["the database does not answer"] : []),
    ...(storage.status === "rejected" ? [whatIsWrongWith(storage.reason)] : []),
  ];
  if (missing.length === 0) return;
  const causes = [database, storage].flatMap((result) =>
    result.status === "rejected" ? [result.reason] : [],
  );
  throw new StowageError("unavailable", {
    detail: `Not ready: ${missing.join(", ")}`,
    retryAfterSeconds: 2,
    cause: causes.length > 0 ? new AggregateError(causes, missing.join(", ")) : undefined,
  });
}

function whatIsWrongWith(reason: unknown): string {
  const isSaid = reason instanceof StowageError && reason.message !== errorCatalogue.unavailable.detail;
  return isSaid ? reason.message : "storage does not answer";
}
