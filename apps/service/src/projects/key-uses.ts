import type { Database } from "#db/client.js";

/** When keys were last used, kept in memory and written together: a write at every upload would cost more than it tells. */
export interface KeyUses {
  /** Of a key that opened a project. */
  note(apiKeyHash: string): void;
  /** Writes what was noted since the last time. @throws {StowageError} `unavailable`, and then it is noted still */
  write(): Promise<void>;
}

const WRITE = `
update projects set key_last_used_at = greatest(key_last_used_at, noted.at)
from json_to_recordset($1::json) as noted (hash text, at timestamptz)
where api_key_hash = noted.hash`;

export function createKeyUses(deps: { db: Pick<Database, "execute">; clock: () => Date }): KeyUses {
  let noted = new Map<string, Date>();
  return {
    note: (apiKeyHash) => void noted.set(apiKeyHash, deps.clock()),
    async write() {
      if (noted.size === 0) return;
      const writing = noted;
      noted = new Map();
      try {
        const rows = [...writing].map(([hash, at]) => ({ hash, at: at.toISOString() }));
        await deps.db.execute(WRITE, [JSON.stringify(rows)]);
      } catch (error) {
        noted = new Map([...writing, ...noted]);
        throw error;
      }
    },
  };
}
