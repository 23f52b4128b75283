import { limits, StowageError, type Visibility } from "@stowage/schemas";
import { and, eq, gt } from "drizzle-orm";
import type { ProjectActor } from "#audit/caller.js";
import { writeAudit } from "#audit/write-audit.js";
import { inTransaction, type Queries } from "#db/client.js";
import { files, tenants } from "#db/schema/index.js";
import { type CopyVerified, createCopyVerified } from "#import/copy-verified.js";
import { requireStorage } from "#import/record-files.js";
import { addSkipped, type Skipped } from "#import/skipped.js";
import type { ObjectSource } from "#import/source.js";
import type { TableFile, TableLine } from "#import/table-file.js";
import { forEachBounded } from "#lib/for-each-bounded.js";
import { keepTrying } from "#lib/keep-trying.js";
import { storedEtagOf } from "#object-store/bucket-of.js";
import type { HeadObject } from "#object-store/object-store.js";
import type { ObjectWriter } from "#object-store/object-writer.js";
import type { Project } from "#projects/find-project.js";

export interface ExportDeps {
  db: Queries;
  clock: () => Date;
  /** The buckets of the project. Null: there is no public one. */
  sources: Record<Visibility, Pick<ObjectSource, "describe" | "read" | "copyInside"> | null>;
  target: {
    /** The endpoint and the bucket. */
    id: string;
    /** Stands before the path of each file. */
    prefix: string;
    writer: ObjectWriter;
    head(key: string): Promise<HeadObject | null>;
  };
  table: TableFile;
  /** The name of the storage of the project. Null: the only one. */
  storage: string | null;
  sleep(ms: number): Promise<unknown>;
}

/** What this run has done. */
export interface ExportResult {
  files: number;
  bytes: number;
  /** The files that earlier runs have exported. */
  done: number;
  skipped: Skipped[];
}

/** Files per query. Their copies end before those of the next ones begin. */
const BATCH_SIZE = 256;
/** Each holds up to 8 MiB in memory. */
const MAX_CONCURRENT_COPIES = 16;

/**
 * Copies the stored files of a project to another bucket. A run that is killed can be repeated. Files in the trash are not exported.
 *
 * @param report is called after each batch
 * @throws {StowageError} `invalid_request` if the table is of another export, or the project moves to another storage; `unavailable`
 */
export async function exportProject(
  deps: ExportDeps,
  actor: ProjectActor,
  report: (progress: Pick<ExportResult, "files" | "bytes">) => void,
): Promise<ExportResult> {
  const { project } = actor;
  const { table, target } = deps;
  const begin = { type: "export", project_ref: project.ref, target: target.id, prefix: target.prefix };
  requireSameExport(table, begin);
  await requireStorage(deps.db, project, deps.storage);
  await audit(deps, actor);
  await table.append([begin]);
  const copy = copyOf(deps);
  const result: ExportResult = { files: 0, bytes: 0, done: 0, skipped: [] };
  for (let after = ""; ;) {
    const rows = await keepTrying(deps.sleep, () => readRows(deps.db, project, after));
    const last = rows.at(-1);
    if (!last) break;
    after = last.path;
    const wanted = rows.filter((row) => table.done.get(row.path) !== storedEtagOf(row));
    result.done += rows.length - wanted.length;
    const lines: TableLine[] = [];
    await forEachBounded(wanted, MAX_CONCURRENT_COPIES, async (row) => {
      const made = await copy(row);
      if ("failed" in made) {
        // A file that was deleted meanwhile is no file of the project any more.
        if (made.failed !== "gone") addSkipped(result.skipped, made.failed, row.path);
        return;
      }
      lines.push(toLine(row, target.prefix + row.path, made));
      result.files++;
      result.bytes += made.found.sizeBytes;
    });
    await table.append(lines);
    report({ files: result.files, bytes: result.bytes });
  }
  await table.append([{ type: "end", files: result.files }]);
  return result;
}

/** @returns a function that copies the object of a file from the bucket that has it */
function copyOf({ sources, target, sleep }: ExportDeps) {
  const copyFrom = (source: (typeof sources)[Visibility]): CopyVerified | null =>
    source && createCopyVerified({ source, writer: target.writer, head: target.head, sleep });
  const copies = { private: copyFrom(sources.private), public: copyFrom(sources.public) };
  return async (row: FileRow) => {
    const { path, filename, size, place } = row;
    const copy = copies[place];
    if (!copy) return { failed: "no_public_bucket" };
    const to = target.prefix + path;
    if (Buffer.byteLength(to) > limits.objectKeyBytes) return { failed: "key_too_long" };
    const etag = storedEtagOf(row) ?? "";
    return copy({ key: path, name: filename, text: path, sizeBytes: size ?? 0, etag }, to);
  };
}

type Copied = Exclude<Awaited<ReturnType<CopyVerified>>, { failed: string }>;

function toLine(row: FileRow, targetKey: string, { found, md5 }: Copied): TableLine {
  return {
    type: "file",
    key: row.path,
    target_key: targetKey,
    tenant_id: row.tenantId,
    filename: row.filename,
    folder: row.folder,
    content_type: row.contentType,
    metadata: row.metadata,
    size: found.sizeBytes,
    source_etag: found.etag,
    md5,
    visibility: row.place,
    scan_status: row.scanStatus,
    created_at: row.createdAt.toISOString(),
  };
}

type FileRow = Awaited<ReturnType<typeof readRows>>[number];

/** The next stored files, in the order of their paths. */
function readRows(db: Queries, { id }: Project, after: string) {
  return db.run((db) =>
    db
      .select({
        path: files.path,
        tenantId: tenants.tenantId,
        filename: files.filename,
        folder: files.folder,
        contentType: files.contentType,
        metadata: files.metadata,
        size: files.size,
        etag: files.etag,
        publishedEtag: files.publishedEtag,
        place: files.place,
        scanStatus: files.scanStatus,
        createdAt: files.createdAt,
      })
      .from(files)
      .innerJoin(tenants, and(eq(tenants.projectId, files.projectId), eq(tenants.id, files.tenant)))
      .where(and(eq(files.projectId, id), eq(files.status, "stored"), gt(files.path, after)))
      .orderBy(files.path)
      .limit(BATCH_SIZE),
  );
}

/** @throws {StowageError} `invalid_request` */
function requireSameExport({ lastRun }: TableFile, begin: TableLine): void {
  if (!lastRun || Object.keys(begin).every((member) => lastRun[member] === begin[member])) return;
  throw new StowageError("invalid_request", {
    detail: "The table is of another export: name another file with --table",
  });
}

async function audit({ db, clock, target }: ExportDeps, actor: ProjectActor): Promise<void> {
  await inTransaction(db, (_, tx) =>
    writeAudit(
      tx,
      { ...actor, at: clock() },
      {
        action: "project.files_exported",
        projectId: actor.project.id,
        details: { target: target.id, prefix: target.prefix },
      },
    ),
  );
}
