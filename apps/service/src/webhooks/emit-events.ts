import type { ChosenWebhookEventType } from "@stowage/schemas";
import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.js";

/** The events about files that TypeScript emits. `mark_stored` and other SQL functions emit theirs themselves. */
type FileEventType = Extract<ChosenWebhookEventType, `file.${string}`>;

/**
 * Writes events about files into the outbox, for the endpoints of the project that want them (docs/decisions/0033). Call it in the
 * transaction that changes the files, after the change: the event has the rows as they are then. The change must increment the
 * files' revision, which gives the order of their events.
 */
export async function emitFileEvents(
  tx: Transaction,
  type: FileEventType,
  { projectId, at }: { projectId: number; at: Date },
  fileIds: number[],
): Promise<void> {
  if (fileIds.length === 0) return;
  const ids = `{${fileIds.join(",")}}`;
  await tx.execute(
    sql`select emit_file_events(${projectId}::bigint, ${type}, ${at.toISOString()}::timestamptz, ${ids}::text::bigint[])`,
  );
}
