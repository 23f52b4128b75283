import type { Database, Queries } from "./client.js";

/**
 * Times that all replicas share: the last end of a sweep, the last notification of storage, the last request that storage failed, the
 * last time at which a scan worker ran, and at which its scanner answered, at which a worker looked for image variants to make, and at
 * which a worker could decode no image, or could not limit the memory of its decoders.
 */
const signalNames = [
  "sweep",
  "storage_event",
  "storage_failure",
  "scan_worker",
  "scanner",
  "image_worker",
  "image_decoder_failure",
  "image_decoder_unlimited",
] as const;
export type SignalName = (typeof signalNames)[number];

/** Remembers when something last happened in this replica, and writes these times to the database now and then. */
export interface Signals {
  /** @param note what there is to say about this time, for {@link readNote} */
  mark(name: SignalName, note?: string): void;
  /** @throws {StowageError} `unavailable`; the times then stay for the next flush */
  flush(): Promise<void>;
}

const PREFIX = "last_";

export function createSignals(deps: { db: Pick<Database, "execute">; clock: () => Date }): Signals {
  let marked = new Map<SignalName, string>();
  return {
    mark: (name, note) => void marked.set(name, [deps.clock().toISOString(), note].filter(Boolean).join(" ")),
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

/** ISO times in UTC sort as texts, also with a note behind them. The rows are written in the order of the primary key, so that replicas cannot deadlock. */
const WRITE = `
insert into installation as kept (name, value)
select name, value from json_to_recordset($1::json) as marked (name text, value text) order by name
on conflict (name) do update set value = greatest(kept.value, excluded.value)`;

/** Reads when each of them last happened in any replica; null if never. @throws {StowageError} `unavailable` */
export async function readSignals(db: Queries): Promise<Record<SignalName, string | null>> {
  const rows = await db.execute<{ name: string; value: string }>(READ, []);
  const find = (name: SignalName) =>
    rows.find((row) => row.name === PREFIX + name)?.value.split(" ")[0] ?? null;
  return Object.fromEntries(signalNames.map((name) => [name, find(name)])) as Record<
    SignalName,
    string | null
  >;
}

/** By name: the table also contains secrets. */
const READ = `
select name, value from installation where name in (${signalNames.map((name) => `'${PREFIX}${name}'`).join()})`;

/** Reads the note of the last time; null if there is none. @throws {StowageError} `unavailable` */
export async function readNote(db: Queries, name: SignalName): Promise<string | null> {
  const [row] = await db.execute<{ value: string }>(READ_NOTE, [PREFIX + name]);
  return row?.value.split(" ").slice(1).join(" ") || null;
}

const READ_NOTE = "select value from installation where name = $1";
