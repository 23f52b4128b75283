import type { QuarantineInput } from "@stowage/operator-schemas";
import { and, asc, desc, eq, gt, lt, sql } from "drizzle-orm";
import type { Drizzle, Queries } from "#db/client.js";
import { IS_IN_QUARANTINE } from "#db/schema/conditions.js";
import { files, tenants } from "#db/schema/index.js";
import { hasCountedStatus, isTenantOfFile } from "#files/record/file-conditions.js";
import { readPlace, writePlace } from "#lib/cursor.js";
import { cutAt, type Part, readPage } from "#lib/read-page.js";
import type { Project } from "#projects/find-project.js";

/** A file whose scan found something, or could not look into it. */
export interface QuarantinedFile {
  id: number;
  filename: string;
  tenantId: string;
  /** Names the bytes. A release needs it. */
  etag: string | null;
  sizeBytes: number | null;
  verdict: "infected" | "unscannable";
  /** What the scanner named; null if it named nothing. */
  signature: string | null;
  storedAt: string | null;
  /** A file in the trash must be restored before it can be released. */
  status: "stored" | "trashed";
  /** When the file is removed from the trash; null unless it is there. */
  purgeAt: string | null;
}

export interface QuarantinePage {
  files: QuarantinedFile[];
  /** Null on the first page. */
  previousCursor: string | null;
  /** Null on the last page. */
  nextCursor: string | null;
}

/**
 * Lists infected and unscannable files of a project, also those in the trash, the newest upload first.
 *
 * @throws {StowageError} `invalid_request` for a cursor that this list did not make; `unavailable`
 */
export async function listQuarantine(
  deps: { db: Queries },
  project: Project,
  { cursor, limit }: QuarantineInput,
): Promise<QuarantinePage> {
  const place = readPlace(LIST, ["number"], cursor);
  const page = await deps.db.run((db) =>
    readPage({ place, read: (reading) => readRows(db, project, { ...reading, limit }), positionOf }),
  );
  return {
    files: page.rows.map(({ storedAt, purgeAt, verdict, ...file }) => ({
      ...file,
      status: purgeAt === null ? "stored" : "trashed",
      purgeAt: purgeAt?.toISOString() ?? null,
      verdict: verdict === "infected" ? verdict : "unscannable",
      storedAt: storedAt?.toISOString() ?? null,
    })),
    previousCursor: writePlace(LIST, page.previous),
    nextCursor: writePlace(LIST, page.next),
  };
}

const LIST = "quarantine";

type Row = Awaited<ReturnType<typeof select>>[number];
type Position = [id: number];
const positionOf = ({ id }: Pick<Row, "id">): Position => [id];

interface Reading {
  isBackward: boolean;
  after: Position | undefined;
  limit: number;
}

async function readRows(
  db: Drizzle,
  project: Project,
  { limit, ...reading }: Reading,
): Promise<Part<Row, Position>> {
  return cutAt(await select(db, project, reading).limit(limit + 1), limit, positionOf);
}

function select(db: Drizzle, project: Project, { isBackward, after }: Omit<Reading, "limit">) {
  const [direction, isBeyond] = isBackward ? [asc, gt] : [desc, lt];
  return db
    .select({
      id: files.id,
      filename: files.filename,
      tenantId: tenants.tenantId,
      etag: files.etag,
      sizeBytes: files.size,
      verdict: files.scanStatus,
      signature: files.scanSignature,
      storedAt: files.storedAt,
      purgeAt: files.purgeAt,
    })
    .from(files)
    .innerJoin(tenants, isTenantOfFile())
    .where(
      and(
        eq(files.projectId, project.id),
        sql.raw(IS_IN_QUARANTINE),
        hasCountedStatus,
        after && isBeyond(files.id, after[0]),
      ),
    )
    .orderBy(direction(files.id))
    .$dynamic();
}
