import type { FileStatus, ScanVerdict } from "@stowage/schemas";
import { inTransaction, type Queries } from "#db/client.js";
import { markVariantsOfFile } from "#variants/remove-variants.js";
import { emitFileEvents, type EventTraceDeps } from "#outbox/emit-events.js";

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
    const values = [file.projectId, file.id, etag, verdict, signature, claim ?? null];
    const [row] = await db.execute<Recorded>(RECORD, values);
    if (!row) {
      const same = await db.execute(CONFIRM, values);
      return same.length > 0;
    }
    // A job removes them. From now on, no URL of them is signed.
    const publishEndsAt = new Date(row.publishEndsAt);
    if (verdict === "infected") await markVariantsOfFile(tx, { ...file, publishEndsAt }, deps.clock());
    // For receivers, a file in the trash was deleted. If it is restored, they learn its verdict then.
    const cause = { projectId: file.projectId, at: deps.clock(), traceparent: deps.traceparent?.() };
    if (row.status === "stored") await emitFileEvents(tx, "file.scanned", cause, [file.id]);
    return true;
  });
}

const RECORD = `
update files set scan_status = $4::scan_status, scan_signature = $5::text, scanned_etag = etag, scan_due_at = null,
  scan_failures = 0, revision = revision + 1
where project_id = $1::bigint and id = $2::bigint and etag = $3::text and status in ('stored', 'trashed')
  and (scan_status, scan_signature, scanned_etag) is distinct from ($4::scan_status, $5::text, $3::text)
  and ($6::integer is null or scan_claim = $6::integer and scan_due_at is not null)
returning status, publish_ends_at as "publishEndsAt"`;

interface Recorded {
  status: FileStatus;
  publishEndsAt: string;
}

/** For a report that is repeated, and for a file that was scanned again with the same result: it has no second event. */
const CONFIRM = `
update files set scan_due_at = case when $6::integer is null or scan_claim = $6::integer then null else scan_due_at end
where project_id = $1::bigint and id = $2::bigint and etag = $3::text and status in ('stored', 'trashed')
  and scanned_etag = etag
  and scan_status = $4::scan_status and scan_signature is not distinct from $5::text
returning id`;
