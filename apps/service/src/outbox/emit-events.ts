import type { ChosenWebhookEventType } from "@stowage/schemas";
import { type SQL, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.js";

/** The events about files that TypeScript emits. `mark_stored` and other SQL functions emit theirs themselves. */
type FileEventType = Extract<ChosenWebhookEventType, `file.${string}`>;

/** For the dependencies of verbs that emit events. */
export interface EventTraceDeps {
  /** Returns the W3C `traceparent` of what runs now, if it is traced: the deliveries of the event link to it. @default never traced */
  traceparent?: (() => string | undefined) | undefined;
}

/** When and by what an event was caused. */
interface Cause {
  projectId: number;
  at: Date;
  traceparent?: string | undefined;
}

/**
 * Writes events about files into the outbox, for the endpoints of the project that want them (docs/decisions/0033). Call it in the
 * transaction that changes the files, after the change: the event has the rows as they are then. The change must increment the
 * files' revision, which gives the order of their events.
 */
export async function emitFileEvents(
  tx: Transaction,
  type: FileEventType,
  { projectId, at, traceparent }: Cause,
  fileIds: number[],
): Promise<void> {
  if (fileIds.length === 0) return;
  const sources = traceparent === undefined ? null : fileIds.map((id) => ({ id, traceparent }));
  await tx.execute(
    sql`select emit_file_events(${projectId}::bigint, ${type}, ${at.toISOString()}::timestamptz, ${toArray(fileIds)}, ${sources && JSON.stringify(sources)}::text::json)`,
  );
}

/**
 * Writes `tenant.quota_cleared` for those of the tenants that had reached their quota and have enough space again. Call it after a
 * change of their counters or quota that is not made by the SQL functions `add_usage` or `judge_uploads`, which do the same. The
 * transaction holds the locks of the tenants.
 */
export async function clearQuotas(
  tx: Transaction,
  { projectId, at }: { projectId: number; at: Date },
  tenants: number[],
): Promise<void> {
  await tx.execute(
    sql`select clear_quotas(${projectId}::bigint, ${at.toISOString()}::timestamptz, ${toArray(tenants)})`,
  );
}

/** Writes `tenant.created` for tenants that this transaction has created. `judge_uploads` does the same for those of uploads. */
export async function emitTenantsCreated(
  tx: Transaction,
  { projectId, at }: { projectId: number; at: Date },
  tenants: number[],
): Promise<void> {
  if (tenants.length === 0) return;
  await tx.execute(
    sql`select emit_tenant_events(${projectId}::bigint, 'tenant.created', ${at.toISOString()}::timestamptz, ${toArray(tenants)})`,
  );
}

function toArray(ids: number[]): SQL {
  return sql`${`{${ids.join(",")}}`}::text::bigint[]`;
}
