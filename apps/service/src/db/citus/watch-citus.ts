import { AsyncResource } from "node:async_hooks";
import type { Queries } from "../client.js";

/**
 * Finds out whether the database is a Citus cluster, in the background of the first call. Until it is known, the answer is false:
 * then everything works too, but the coordinator takes part in more statements.
 */
export function watchCitus(db: Queries): () => boolean {
  let isCitus: boolean | undefined;
  let isReading = false;
  // Bound, because it belongs to no call. A trace of the first call would have this statement too.
  const read = AsyncResource.bind(async () => {
    isReading = true;
    try {
      const [row] = await db.execute<{ isCitus: boolean }>(READ, []);
      isCitus = row!.isCitus;
    } catch {
      // The database does not answer. The statement that asked fails for the same reason, and a later one asks again.
    } finally {
      isReading = false;
    }
  });
  return () => {
    if (isCitus === undefined && !isReading) void read();
    return isCitus ?? false;
  };
}

const READ = `select exists (select from pg_extension where extname = 'citus') as "isCitus"`;
