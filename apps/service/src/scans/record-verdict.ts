import type { FileStatus, ScanVerdict } from "@stowage/schemas";
import { groupBy } from "#lib/group-by.js";
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

/** A verdict and the file that it is about. */
export interface FileReport extends ScanReport {
  id: number;
}

/**
 * Writes a verdict to a stored file, unless the file has other bytes by now, or the claim is over. Safe to repeat.
 *
 * @returns whether the file has these bytes
 * @throws {StowageError} `unavailable`
 */
export async function recordVerdict(
  deps: RecordVerdictDeps,
  { projectId, id }: { projectId: number; id: number },
  report: ScanReport,
): Promise<boolean> {
  return (await recordVerdicts(deps, projectId, [{ ...report, id }])).has(id);
}

type RecordVerdictDeps = EventTraceDeps & { db: Queries; clock: () => Date };

/**
 * The same for files of one project, in one transaction.
 *
 * @param reports at most one for each file
 * @returns the ids of the files that have these bytes
 * @throws {StowageError} `unavailable`; then none is written
 */
export function recordVerdicts(
  deps: RecordVerdictDeps,
  projectId: number,
  reports: FileReport[],
): Promise<Set<number>> {
  const reportOf = new Map(reports.map((report) => [report.id, report]));
  return inTransaction(deps.db, async (db, tx) => {
    const locked = await db.execute<Row>(LOCK, [projectId, toArray(reports)]);
    const found = locked
      .map((row): Found => ({ ...reportOf.get(row.id)!, row }))
      .filter(({ row, etag }) => row.etag === etag);
    const claims = found.map(({ id, claim = null }) => ({ id, claim }));
    const values = [projectId, toArray(found), JSON.stringify(claims)];
    const ended = new Set((await db.execute<{ id: number }>(END_TASKS, values)).map(({ id }) => id));
    const isCurrent = (file: Found) => file.claim === undefined || ended.has(file.id) || isSame(file);
    // A report that is repeated, and a file that was scanned again with the same result, have no second event.
    const changed = found.filter((file) => isCurrent(file) && !isSame(file));
    for (const alike of groupBy(changed, ({ verdict, signature }) => `${verdict} ${signature}`).values()) {
      const { verdict, signature } = alike[0]!;
      await db.execute(RECORD, [projectId, toArray(alike), verdict, signature]);
    }
    const now = deps.clock();
    await queueMoves(db, projectId, idsOf(changed), now);
    for (const { id, row } of changed.filter(({ verdict }) => verdict === "infected")) {
      // A job removes them. From now on, no URL of them is signed.
      await markVariantsOfFile(tx, { projectId, id, publishEndsAt: new Date(row.publishEndsAt) }, now);
    }
    // For receivers, a file in the trash was deleted. If it is restored, they learn its verdict then.
    const cause = { projectId, at: now, traceparent: deps.traceparent?.() };
    const told = changed.filter(({ row }) => row.status === "stored");
    await emitFileEvents(tx, "file.scanned", cause, idsOf(told));
    return new Set(idsOf(found.filter(isCurrent)));
  });
}

interface Found extends FileReport {
  row: Row;
}

interface Row {
  id: number;
  status: FileStatus;
  etag: string;
  publishEndsAt: string;
  scanStatus: string;
  signature: string | null;
  scannedEtag: string | null;
}

/** Whether the file has this verdict already. */
const isSame = ({ row, etag, verdict, signature }: Found) =>
  row.scanStatus === verdict && row.signature === signature && row.scannedEtag === etag;

const idsOf = (files: { id: number }[]) => files.map(({ id }) => id);
const toArray = (files: { id: number }[]) => `{${idsOf(files).join(",")}}`;

const LOCK = `
select id, status, etag, publish_ends_at as "publishEndsAt", scan_status as "scanStatus", scan_signature as signature,
  scanned_etag as "scannedEtag"
from files
where project_id = $1::bigint and id = any($2::text::bigint[]) and status in ${COUNTED}
order by id for no key update`;

const END_TASKS = `
delete from file_tasks t
where t.project_id = $1::bigint and t.file_id = any($2::text::bigint[]) and t.kind = 'scan'
  and (t.file_id, t.claim) in (
    select r.id, coalesce(r.claim, t.claim) from json_to_recordset($3::text::json) as r (id bigint, claim integer))
returning t.file_id as id`;

const RECORD = `
update files set scan_status = $3::scan_status, scan_signature = $4::text, scanned_etag = etag, revision = revision + 1
where project_id = $1::bigint and id = any($2::text::bigint[])`;
