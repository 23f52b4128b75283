import { type ErrorCode, tenantId as tenantIdSchema } from "@stowage/schemas";
import type { Database } from "#db/client.js";
import { forEachBounded } from "#lib/for-each-bounded.js";
import { addMs, DAY_MS, MINUTE_MS } from "#lib/time.js";

/**
 * Remembers in memory which requests of each project were refused: minute, reason and tenant. All are written in one statement. It
 * keeps no key, no file name and no address.
 */
export interface RefusedRequestBuffer {
  /**
   * @param apiKeyHash a well-formed key. Whether it belongs to a project is found out by the flush
   * @param tenantId what the request named as its tenant, before it was validated
   */
  record(apiKeyHash: string, code: ErrorCode, tenantId: unknown): void;
  /**
   * Writes what was recorded since the last flush.
   *
   * @throws {StowageError} `unavailable`; records that are not written then stay for the next flush
   */
  flush(): Promise<void>;
}

/** Different combinations of key, minute, code and tenant between two flushes. Clients can cause more, which are not recorded. */
const MAX_RECORDS = 2000;
/** The share of one key, so that one busy project does not take the place of the others. */
const MAX_RECORDS_PER_KEY = 100;
/** The rows of one project. Older ones are deleted. */
const MAX_ROWS_PER_PROJECT = 500;
const KEPT_MS = 30 * DAY_MS;
const MAX_CONCURRENT_DELETES = 2;

interface RefusedRequest {
  hash: string;
  minute: string;
  code: ErrorCode;
  tenant: string;
  count: number;
  last: string;
}

export function createRefusedRequestBuffer(deps: {
  db: Pick<Database, "execute">;
  clock: () => Date;
}): RefusedRequestBuffer {
  let records = new Map<string, RefusedRequest>();
  let recordsPerKey = new Map<string, number>();

  function add(refused: RefusedRequest): void {
    const { hash, minute, code, tenant, count, last } = refused;
    const name = JSON.stringify([hash, minute, code, tenant]);
    const known = records.get(name);
    if (known) {
      known.count += count;
      if (last > known.last) known.last = last;
      return;
    }
    const ofKey = recordsPerKey.get(hash) ?? 0;
    if (records.size >= MAX_RECORDS || ofKey >= MAX_RECORDS_PER_KEY) return;
    records.set(name, { ...refused });
    recordsPerKey.set(hash, ofKey + 1);
  }

  /** @returns the project of each row */
  async function write(flushed: RefusedRequest[]): Promise<number[]> {
    try {
      const rows = await deps.db.execute<{ projectId: number }>(WRITE, [JSON.stringify(flushed)]);
      return rows.map(({ projectId }) => projectId);
    } catch (error) {
      for (const refused of flushed) add(refused);
      throw error;
    }
  }

  return {
    record(apiKeyHash, code, tenantId) {
      // An unknown key belongs to no project.
      if (code === "unauthorized") return;
      const now = deps.clock();
      const minute = new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS).toISOString();
      const tenant = tenantIdSchema.safeParse(tenantId).data ?? "";
      add({ hash: apiKeyHash, minute, code, tenant, count: 1, last: now.toISOString() });
    },
    async flush() {
      if (records.size === 0) return;
      const flushed = [...records.values()];
      records = new Map();
      recordsPerKey = new Map();
      const written = await write(flushed);
      // Outside of the write: after an error here, the next flush must not write the same records again. A later flush of the
      // project deletes the old rows.
      await forEachBounded(new Set(written), MAX_CONCURRENT_DELETES, (projectId) =>
        deps.db.execute(DELETE_OLDER, [projectId]),
      );
    },
  };
}

/** Writes the rows in the order of the primary key, so that concurrent flushes of several replicas cannot deadlock. */
const WRITE = `
insert into refused_requests as kept (project_id, minute, code, tenant_id, count, last_at)
select projects.id, refused.minute, refused.code, refused.tenant, sum(refused.count), max(refused.last)
from json_to_recordset($1::json) as refused (
  hash text, minute timestamptz, code text, tenant text, count bigint, last timestamptz)
join projects on projects.api_key_hash = refused.hash
group by 1, 2, 3, 4 order by 1, 2, 3, 4
on conflict (project_id, minute, code, tenant_id) do update set
  count = kept.count + excluded.count, last_at = greatest(kept.last_at, excluded.last_at)
returning project_id as "projectId"`;

/** Deletes whole minutes: the newest rows always stay. */
const DELETE_OLDER = `
delete from refused_requests where project_id = $1::bigint and minute < (
  select minute from refused_requests where project_id = $1::bigint
  order by minute desc offset ${MAX_ROWS_PER_PROJECT - 1} limit 1)`;

/** Deletes what was refused more than 30 days ago. @throws {StowageError} `unavailable` */
export async function deleteOldRefusedRequests(deps: {
  db: Pick<Database, "execute">;
  clock: () => Date;
}): Promise<void> {
  await deps.db.execute("delete from refused_requests where minute < $1::timestamptz", [
    addMs(deps.clock(), -KEPT_MS).toISOString(),
  ]);
}
