import type { ErrorCode } from "@stowage/schemas";
import type { Database } from "#db/client.js";
import { toUtcDay } from "#lib/time.js";

/**
 * Counts in memory how often each project's requests were refused and why, and writes all counts in one statement. Accepted
 * requests are not slowed down.
 */
export interface RefusalBuffer {
  /** @param apiKeyHash a well-formed key. Whether it belongs to a project is found out by the flush */
  count(apiKeyHash: string, code: ErrorCode): void;
  /**
   * Writes what was counted since the last flush.
   *
   * @throws {StowageError} `unavailable`; the counts then stay for the next flush
   */
  flush(): Promise<void>;
}

/** Different combinations of key, day and code. More are not counted, because anyone can make up keys and be refused with them. */
const MAX_COUNTS = 10_000;

export function createRefusalBuffer(deps: {
  db: Pick<Database, "execute">;
  clock: () => Date;
}): RefusalBuffer {
  let counts = new Map<string, number>();
  const add = (key: string, count: number) => {
    const before = counts.get(key);
    if (before !== undefined || counts.size < MAX_COUNTS) counts.set(key, (before ?? 0) + count);
  };
  return {
    count(apiKeyHash, code) {
      // An unknown key belongs to no project.
      if (code !== "unauthorized") add(`${apiKeyHash} ${toUtcDay(deps.clock())} ${code}`, 1);
    },
    async flush() {
      if (counts.size === 0) return;
      const flushed = counts;
      counts = new Map();
      try {
        await deps.db.execute(WRITE, [JSON.stringify([...flushed].map(toRow))]);
      } catch (error) {
        for (const [key, count] of flushed) add(key, count);
        throw error;
      }
    },
  };
}

/** Writes the rows in the order of the primary key, so that concurrent flushes of several replicas cannot deadlock. */
const WRITE = `
insert into refusals_daily as kept (project_id, day, code, count)
select projects.id, refused.day, refused.code, sum(refused.count)
from json_to_recordset($1::json) as refused (hash text, day date, code text, count bigint)
join projects on projects.api_key_hash = refused.hash
group by 1, 2, 3 order by 1, 2, 3
on conflict (project_id, day, code) do update set count = kept.count + excluded.count`;

function toRow([key, count]: [string, number]) {
  const [hash, day, code] = key.split(" ");
  return { hash, day, code, count };
}
