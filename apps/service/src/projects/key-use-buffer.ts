import type { Database } from "#db/client.js";

/**
 * Remembers in memory when API keys were last used, and writes all of it in one statement. A write per upload would cost too much
 * for this information.
 */
export interface KeyUseBuffer {
  /** @param apiKeyHash the key of a request that was accepted */
  record(apiKeyHash: string): void;
  /**
   * Writes what was recorded since the last flush.
   *
   * @throws {StowageError} `unavailable`; the records then stay for the next flush
   */
  flush(): Promise<void>;
}

export function createKeyUseBuffer(deps: { db: Pick<Database, "execute">; clock: () => Date }): KeyUseBuffer {
  let lastUses = new Map<string, Date>();
  return {
    record: (apiKeyHash) => void lastUses.set(apiKeyHash, deps.clock()),
    async flush() {
      if (lastUses.size === 0) return;
      const flushed = lastUses;
      lastUses = new Map();
      try {
        const rows = [...flushed].map(([hash, at]) => ({ hash, at: at.toISOString() }));
        await deps.db.execute(WRITE, [JSON.stringify(rows)]);
      } catch (error) {
        lastUses = new Map([...flushed, ...lastUses]);
        throw error;
      }
    },
  };
}

const WRITE = `
update projects set key_last_used_at = greatest(key_last_used_at, used.at)
from json_to_recordset($1::json) as used (hash text, at timestamptz)
where api_key_hash = used.hash`;
