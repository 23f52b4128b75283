import { and, desc, eq, gt, inArray, isNotNull, max, type SQL, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.js";
import { files, projects } from "#db/schema/index.js";
import { hasStatus } from "#files/record/file-conditions.js";
import { addMs } from "#lib/time.js";

type FileRow = typeof files.$inferSelect;
type Reader = Pick<Transaction, "select">;

/** The most versions that one replacement ends, after the project has lowered its number. */
const MAX_ENDED = 100;

/**
 * Reads the versions of a stored file, the last one that was replaced first: at most as many as the project keeps.
 *
 * @returns none for a file that is not stored, and in a project without versions
 */
export async function readVersions(
  db: Reader,
  { projectId, chain, status }: Pick<FileRow, "projectId" | "chain" | "status">,
  now: Date,
): Promise<FileRow[]> {
  if (chain === null || status !== "stored") return [];
  const maxVersions = await readMaxVersions(db, projectId);
  if (maxVersions === 0) return [];
  return db
    .select()
    .from(files)
    .where(isReplacedIn({ projectId, chains: [chain] }, now))
    .orderBy(...NEWEST_FIRST)
    .limit(maxVersions);
}

/**
 * Makes a file a version of the file that replaced it, if it went to the trash. Its own versions are those of the new file too. The oldest
 * ones above the project's number end now.
 *
 * The caller has locked both files.
 */
export async function keepVersion(
  tx: Transaction,
  { old, file, isTrashed, at }: { old: FileRow; file: FileRow; isTrashed: boolean; at: Date },
): Promise<void> {
  if (!isTrashed && old.chain === null) return;
  const { projectId } = file;
  const chain = old.chain ?? file.id;
  await tx
    .update(files)
    .set({ chain })
    .where(and(eq(files.projectId, projectId), inArray(files.id, [old.id, file.id])));
  const maxVersions = await readMaxVersions(tx, projectId);
  if (maxVersions === 0) return;
  const above = tx
    .select({ id: files.id })
    .from(files)
    .where(isReplacedIn({ projectId, chains: [chain] }, at))
    .orderBy(...NEWEST_FIRST)
    .offset(maxVersions);
  await end(tx, projectId, inArray(files.id, above), { at, limit: MAX_ENDED });
}

/**
 * Returns when a file is replaced: later than all versions of it, also if the clock of the replica that replaced those was ahead. Otherwise
 * the newest version would be taken for an older one, and end first.
 *
 * The caller has locked the file.
 */
export async function afterVersions(
  db: Reader,
  projectId: number,
  { chain, at }: { chain: number | null; at: Date },
): Promise<Date> {
  if (chain === null) return at;
  const [row] = await db
    .select({ last: max(files.replacedAt) })
    .from(files)
    .where(and(eq(files.projectId, projectId), eq(files.chain, chain)));
  return row?.last && row.last >= at ? addMs(row.last, 1) : at;
}

/** Ends all versions in these chains, because their files are deleted for good. */
export async function endVersions(
  tx: Transaction,
  projectId: number,
  { chains, at }: { chains: number[]; at: Date },
): Promise<void> {
  if (chains.length === 0 || (await readMaxVersions(tx, projectId)) === 0) return;
  await end(tx, projectId, isReplacedIn({ projectId, chains }, at), { at, limit: MAX_ENDED * chains.length });
}

/**
 * Which files of these chains were replaced and have time left in the trash. A file that was deleted has no `replacedBy`.
 */
function isReplacedIn({ projectId, chains }: { projectId: number; chains: number[] }, now: Date): SQL {
  return and(
    eq(files.projectId, projectId),
    inArray(files.chain, chains),
    hasStatus("trashed"),
    isNotNull(files.replacedBy),
    gt(files.purgeAt, now),
  )!;
}

const NEWEST_FIRST = [desc(files.replacedAt), desc(files.id)];

/** How many versions the project keeps of each file. 0: it has no versions. */
async function readMaxVersions(db: Reader, projectId: number): Promise<number> {
  const [row] = await db
    .select({ maxVersions: projects.maxVersions })
    .from(projects)
    .where(eq(projects.id, projectId));
  return row?.maxVersions ?? 0;
}

/**
 * The sweeper removes the versions, except those on hold. Those that another call is changing stay: a transaction that locks files in the
 * order of their ids would deadlock with one that waits for them here.
 */
async function end(
  tx: Transaction,
  projectId: number,
  isEnding: SQL,
  { at, limit }: { at: Date; limit: number },
): Promise<void> {
  const ending = await tx
    .select({ id: files.id })
    .from(files)
    .where(and(eq(files.projectId, projectId), isEnding, hasStatus("trashed"), eq(files.held, false)))
    .limit(limit)
    .for("update", { skipLocked: true });
  const ids = ending.map(({ id }) => id);
  if (ids.length === 0) return;
  await tx
    .update(files)
    .set({ purgeAt: at, revision: sql`${files.revision} + 1` })
    .where(and(eq(files.projectId, projectId), inArray(files.id, ids)));
}
