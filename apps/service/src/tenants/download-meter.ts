import type { Database } from "#db/client.js";
import { groupBy } from "#lib/group-by.js";
import { toUtcDay } from "#lib/time.js";

/** Counts in memory which downloads were signed, and writes them from time to time: a write for each download would cost too much. */
export interface DownloadMeter {
  /**
   * @param tenant `tenants.id`
   * @param bytes size of the file or the variant
   */
  count(projectId: number, tenant: number, bytes: number): void;
  /**
   * Writes what was counted since the last flush, up to 1,000 tenants in one statement.
   *
   * @throws {StowageError} `unavailable`; the counts that are not written then stay for the next flush
   */
  flush(): Promise<void>;
}

/** Tenants and days that are counted between two flushes. While the database is down, further ones are not counted. */
const MAX_COUNTS = 100_000;
const TENANTS_PER_STATEMENT = 1000;

interface Count {
  projectId: number;
  tenant: number;
  day: string;
  downloads: number;
  bytes: number;
}

export function createDownloadMeter(deps: {
  db: Pick<Database, "execute">;
  clock: () => Date;
}): DownloadMeter {
  let counts = new Map<string, Count>();

  function add(count: Count): void {
    const key = `${count.projectId} ${count.tenant} ${count.day}`;
    const known = counts.get(key);
    if (known) {
      known.downloads += count.downloads;
      known.bytes += count.bytes;
    } else if (counts.size < MAX_COUNTS) counts.set(key, count);
  }

  return {
    count: (projectId, tenant, bytes) =>
      add({ projectId, tenant, day: toUtcDay(deps.clock()), downloads: 1, bytes }),
    async flush() {
      const flushed = [...counts.values()];
      counts = new Map();
      const errors: unknown[] = [];
      for (const ofDay of groupBy(flushed, ({ projectId, day }) => `${projectId} ${day}`).values())
        for (let start = 0; start < ofDay.length; start += TENANTS_PER_STATEMENT) {
          const some = ofDay.slice(start, start + TENANTS_PER_STATEMENT);
          await deps.db
            .execute(WRITE, [some[0]!.projectId, some[0]!.day, JSON.stringify(some)])
            .catch((error: unknown) => {
              for (const count of some) add(count);
              errors.push(error);
            });
        }
      if (errors.length > 0) throw errors[0];
    },
  };
}

const WRITE = "select add_downloads($1::bigint, $2::date, $3::text::json)";
