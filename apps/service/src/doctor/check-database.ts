import { type Distribution, readDistribution } from "#db/citus/read-distribution.js";
import type { Queries } from "#db/client.js";
import type { Finding, ProbeResult } from "./probe.js";

const NAME = "Database";
/** With a higher group, ids would exceed 2^53, and JavaScript's numbers are exact only up to there. */
const MAX_GROUP = 31;

/**
 * Checks where the database keeps its tables: on one machine, or distributed by Citus.
 *
 * @param deps.db null if no database is configured
 */
export async function checkDatabase(deps: { db: Queries | null }): Promise<Finding> {
  const { db } = deps;
  if (!db) return { name: NAME, ...info("not checked, because DATABASE_URL is not set") };
  try {
    return { name: NAME, ...judge(await readDistribution({ db })) };
  } catch (error) {
    const whatToDo =
      "Check that this machine reaches the database, and that the user may read its catalogue.";
    return { name: NAME, verdict: "fail", found: `does not answer as expected${reasonOf(error)}`, whatToDo };
  }
}

/** Judges where the tables are. */
export function judge({ postgresVersion, encoding, citus }: Distribution): ProbeResult {
  if (encoding !== "UTF8") {
    return {
      verdict: "fail",
      found: `the encoding of the database is ${encoding}, which cannot store all names`,
      whatToDo: "Create the database with encoding 'UTF8', on every node.",
    };
  }
  if (!citus) return ok(`PostgreSQL ${postgresVersion} on one machine`);
  const { workers, shards, distributed, missing, highestGroup } = citus;
  const name = `Citus on PostgreSQL ${postgresVersion}`;
  if (distributed.length === 0) return warn(`${name}, but no table is distributed`, MIGRATE);
  if (missing.length > 0) {
    return {
      verdict: "fail",
      found: `${name}: not distributed as this version needs: ${missing.join(", ")}`,
      whatToDo: MIGRATE,
    };
  }
  if (highestGroup > MAX_GROUP) {
    return warn(
      `${name} with node group ${highestGroup}: ids of groups above ${MAX_GROUP} are not exact in JavaScript`,
      "Move the shards to nodes with a lower groupid in pg_dist_node.",
    );
  }
  const workersText = workers === 1 ? "1 worker" : `${workers} workers`;
  return ok(
    `${name} with ${workersText}: ${distributed.length} tables in ${shards} shards each, by project (${distributed.join(", ")})`,
  );
}

const MIGRATE = "Run: stowage migrate --citus";

const ok = (found: string): ProbeResult => ({ verdict: "ok", found, whatToDo: null });
const info = (found: string): ProbeResult => ({ verdict: "info", found, whatToDo: null });
const warn = (found: string, whatToDo: string): ProbeResult => ({ verdict: "warn", found, whatToDo });

/** Only the code: a message of the driver may contain the address or the user. */
function reasonOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && typeof cause.code === "string" && cause.code !== "unavailable")
      return ` (${cause.code})`;
  }
  return "";
}
