import type { FileStatus, ScanVerdict } from "@stowage/schemas";
import { inTransaction, type Queries } from "#db/client.js";
import { markVariantsOfFile } from "#variants/remove-variants.js";
import { queueMoves } from "#files/record/file-tasks.js";
import { emitFileEvents, type EventTraceDeps } from "#outbox/emit-events.js";
import { COUNTED } from "#db/schema/file-statuses.js";

/** What a scanner found out about the bytes with an ETag. */
export interface ScanReport {
  etag: string;
  verdict: ScanVerdict;
  /** What the scanner named, such as a virus; null if it named nothing. */
  signature: string | null;
  /** The number of the worker's claim. The verdict counts only while the claim is the newest one. @default any time */
  claim?: number;
}

/**
 * Writes a verdict to a stored file, unless the file has other bytes by now, or the claim is over. Safe to repeat.
 *
 * @returns whether the file has these bytes
 * @throws {StowageError} `unavailable`
 */
export function recordVerdict(
  deps: EventTraceDeps & { db: Queries; clock: () => Date },
  file: { projectId: number; id: number },
  { etag, verdict, signature, claim }: ScanReport,
): Promise<boolean> {
  return inTransaction(deps.db, async (db, tx) => {
    const values = [file.projectId, file.id, etag, verdict, signature];
    const [found] = await db.execute<Found>(LOCK, values);
    if (!found) return false;
    const [ended] = await db.execute(END_TASK, [file.projectId, file.id, claim ?? null]);
    // A report that is repeated, and a file that was scanned again with the same result, have no second event.
    if (found.isSame) return true;
    if (claim !== undefined && !ended) return false;
    await db.execute(RECORD, [file.projectId, file.id, verdict, signature]);
    const now = deps.clock();
    await queueMoves(db, file.projectId, [file.id], now);
    // A job removes them. From now on, no URL of them is signed.
    const publishEndsAt = new Date(found.publishEndsAt);
    if (verdict === "infected") await markVariantsOfFile(tx, { ...file, publishEndsAt }, now);
    // For receivers, a file in the trash was deleted. If it is restored, they learn its verdict then.
    const cause = { projectId: file.projectId, at: now, traceparent: deps.traceparent?.() };
    if (found.status === "stored") await emitFileEvents(tx, "file.scanned", cause, [file.id]);
    return true;
  });
}

interface Found {
  status: FileStatus;
  publishEndsAt: string;
  /** Whether the file has this verdict already. */
  isSame: boolean;
}

const LOCK = `
select status, publish_ends_at as "publishEndsAt", (scan_status, scan_signature, scanned_etag)
  is not distinct from ($4::scan_status, $5::text, $3::text) as "isSame"
from files
where project_id = $1::bigint and id = $2::bigint and etag = $3::text and status in ${COUNTED}
for no key update`;

const END_TASK = `
delete from file_tasks
where project_id = $1::bigint and file_id = $2::bigint and kind = 'scan' and ($3::integer is null or claim = $3::integer)
returning file_id`;

const RECORD = `
update files set scan_status = $3::scan_status, scan_signature = $4::text, scanned_etag = etag, revision = revision + 1
where project_id = $1::bigint and id = $2::bigint`;
