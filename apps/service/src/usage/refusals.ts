import type { ErrorCode } from "@stowage/schemas";
import type { Database } from "#db/client.js";
import { dayOf } from "#files/count-files.js";

/**
 * How often each project's requests were refused and why, counted in memory and written together. Nothing of it is on the way
 * of a request that is let in.
 */
export interface Refusals {
  /** Of a well-formed key; whose it is, if anybody's, is found out when it is written. */
  note(apiKeyHash: string, code: ErrorCode): void;
  /** Writes what was noted since the last time. @throws {StowageError} `unavailable`, and then it is noted still */
  write(): Promise<void>;
}

/** Different ones at once; what comes beyond is not counted. Anybody can make up keys and be refused with them. */
const MOST_NOTED = 10_000;

/** In the order of the rows, so that replicas do not wait for each other in a circle. */
const WRITE = `
insert into refusals_daily as kept (project_id, day, code, count)
select projects.id, noted.day, noted.code, sum(noted.count)
from json_to_recordset($1::json) as noted (hash text, day date, code text, count bigint)
join projects on projects.api_key_hash = noted.hash
group by 1, 2, 3 order by 1, 2, 3
on conflict (project_id, day, code) do update set count = kept.count + excluded.count`;

export function createRefusals(deps: { db: Pick<Database, "execute">; clock: () => Date }): Refusals {
  let noted = new Map<string, number>();
  const add = (key: string, count: number) => {
    const before = noted.get(key);
    if (before !== undefined || noted.size < MOST_NOTED) noted.set(key, (before ?? 0) + count);
  };
  return {
    note(apiKeyHash, code) {
      // Nobody's key, so nobody's refusal.
      if (code !== "unauthorized") add(`${apiKeyHash} ${dayOf(deps.clock())} ${code}`, 1);
    },
    async write() {
      if (noted.size === 0) return;
      const writing = noted;
      noted = new Map();
      try {
        await deps.db.execute(WRITE, [JSON.stringify([...writing].map(toRow))]);
      } catch (error) {
        for (const [key, count] of writing) add(key, count);
        throw error;
      }
    },
  };
}

function toRow([key, count]: [string, number]) {
  const [hash, day, code] = key.split(" ");
  return { hash, day, code, count };
}
