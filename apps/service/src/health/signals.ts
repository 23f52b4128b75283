import type { Database, Queries } from "#db/client.js";

/**
 * Times that all replicas share: the last end of a sweep, the last notification of storage, the last request that storage failed, the
 * last time at which a scan worker ran, and at which its scanner answered, and at which a worker looked for image variants to make.
 */
export type SignalName =
  "sweep" | "storage_event" | "storage_failure" | "scan_worker" | "scanner" | "image_worker";

/** Remembers when something last happened in this replica, and writes these times to the database now and then. */
export interface Signals {
  mark(name: SignalName): void;
  /** @throws {StowageError} `unavailable`; the times then stay for the next flush */
  flush(): Promise<void>;
}

const PREFIX = "last_";

export function createSignals(deps: { db: Pick<Database, "execute">; clock: () => Date }): Signals {
  let marked = new Map<SignalName, string>();
  return {
    mark: (name) => void marked.set(name, deps.clock().toISOString()),
    async flush() {
      if (marked.size === 0) return;
      const flushed = marked;
      marked = new Map();
      try {
        const rows = [...flushed].map(([name, at]) => ({ name: PREFIX + name, value: at }));
        await deps.db.execute(WRITE, [JSON.stringify(rows)]);
      } catch (error) {
        marked = new Map([...flushed, ...marked]);
        throw error;
      }
    },
  };
}

/** ISO times in UTC sort as texts. The rows are written in the order of the primary key, so that replicas cannot deadlock. */
const WRITE = `
insert into installation as kept (name, value)
select name, value from json_to_recordset($1::json) as marked (name text, value text) order by name
on conflict (name) do update set value = greatest(kept.value, excluded.value)`;

/** Reads when each of them last happened in any replica; null if never. @throws {StowageError} `unavailable` */
export async function readSignals(db: Queries): Promise<Record<SignalName, string | null>> {
  const rows = await db.execute<{ name: string; value: string }>(READ, []);
  const find = (name: SignalName) => rows.find((row) => row.name === PREFIX + name)?.value ?? null;
  return {
    sweep: find("sweep"),
    storage_event: find("storage_event"),
    storage_failure: find("storage_failure"),
    scan_worker: find("scan_worker"),
    scanner: find("scanner"),
    image_worker: find("image_worker"),
  };
}

/** By name: the table also contains secrets. */
const READ = `
select name, value from installation
where name in ('last_sweep', 'last_storage_event', 'last_storage_failure', 'last_scan_worker', 'last_scanner', 'last_image_worker')`;
