import { createHash } from "node:crypto";
import type { Queries } from "#db/client.js";
import { pendingExpiresAt } from "#files/record/check-schedule.js";
import { groupBy } from "#lib/group-by.js";
import { addMs, DAY_MS } from "#lib/time.js";
import type { Idempotency } from "./admit-uploads.js";

/** How long a key belongs to its first request. */
const KEY_LIFETIME_MS = DAY_MS;

/**
 * @param request everything that the request asks for
 * @returns what the admission needs to know about a request with the header `Idempotency-Key`
 */
export function toIdempotency(
  key: string,
  request: object,
  { now, urlExpiresAt }: { now: Date; urlExpiresAt: Date },
): Idempotency {
  return {
    key,
    requestHash: hashRequest(request),
    expiresAt: addMs(now, KEY_LIFETIME_MS),
    checkAfterExpiryAt: pendingExpiresAt(urlExpiresAt),
  };
}

/** The hash of the parsed request. It does not depend on spaces, the order of members, or members that the service ignores. */
function hashRequest(request: object): string {
  return createHash("sha256").update(JSON.stringify(request, sortMembers)).digest("base64url");
}

function sortMembers(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  // An array of pairs keeps its order even if the names are numbers.
  return Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

const DELETE_BATCH_SIZE = 5000;

/**
 * Deletes keys that may be used for another request, one batch per call.
 *
 * @returns whether there may be more to delete
 * @throws {StowageError} `unavailable`
 */
export async function deleteExpiredKeys(deps: { db: Queries; clock: () => Date }): Promise<boolean> {
  const now = deps.clock().toISOString();
  const expired = await deps.db.execute<ExpiredKey>(FIND_EXPIRED, [now]);
  for (const [projectId, keys] of groupBy(expired, (key) => key.projectId)) {
    await deps.db.execute(DELETE_KEYS, [projectId, JSON.stringify(keys), now]);
  }
  return expired.length === DELETE_BATCH_SIZE;
}

interface ExpiredKey {
  projectId: number;
  tenant: number;
  key: string;
}

const FIND_EXPIRED = `
select project_id as "projectId", tenant, key from idempotency_keys
where expires_at <= $1::timestamptz order by expires_at limit ${DELETE_BATCH_SIZE}`;

/** Deletes keys of one project, because Citus deletes chosen rows only on one shard. A key that was used again meanwhile is kept. */
const DELETE_KEYS = `
delete from idempotency_keys where project_id = $1::bigint and expires_at <= $3::timestamptz and (tenant, key) in (
  select tenant, key from json_to_recordset($2::text::json) as expired (tenant bigint, key text))`;
