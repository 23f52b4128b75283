import { StowageError } from "@stowage/schemas";
import { eq } from "drizzle-orm";
import type { ProjectActor } from "#audit/caller.js";
import { writeAudit } from "#audit/write-audit.js";
import { inTransaction } from "#db/client.js";
import { projects } from "#db/schema/index.js";
import { forEachBounded } from "#lib/for-each-bounded.js";
import { keepTrying } from "#lib/keep-trying.js";
import type { ObjectStore } from "#object-store/object-store.js";
import type { ObjectWriter } from "#object-store/object-writer.js";
import type { Project } from "#projects/find-project.js";
import { type CopyVerified, createCopyVerified } from "./copy-verified.js";
import { type ImportPlan, planImport } from "./plan-import.js";
import { readPages, type ReadPagesDeps, type WantedObject } from "./read-pages.js";
import {
  type CopiedFile,
  ensureTenants,
  hasValidMetadata,
  pathOf,
  recordFiles,
  type RecordFilesDeps,
  requireStorage,
} from "./record-files.js";
import { addSkipped, type Skipped } from "./skipped.js";
import type { TableFile, TableLine } from "./table-file.js";

export interface ImportDeps extends RecordFilesDeps, Omit<ReadPagesDeps, "db" | "done"> {
  store: Pick<ObjectStore, "head" | "remove">;
  writer: ObjectWriter;
  /** The name of the storage of the project. Null: the only one. */
  storage: string | null;
  table: TableFile;
  sleep(ms: number): Promise<unknown>;
}

export interface ImportInput {
  /** Imports also what is beyond the quota, or the limit of files, of a tenant. */
  allowOverQuota: boolean;
  /** The options that decide about paths: a run that was killed has to end with the same ones. */
  options: Record<string, string | null>;
}

export interface ImportProgress {
  files: number;
  bytes: number;
}

/** What this run has done. */
export interface ImportResult extends ImportProgress {
  /** The objects that earlier runs have imported. */
  done: number;
  /** The objects that this run has not imported. */
  skipped: Skipped[];
}

/** Their copies are recorded in one transaction. A run that is killed repeats the copies of one batch. */
const BATCH_SIZE = 256;
/** Each holds up to 8 MiB in memory. */
const MAX_CONCURRENT_COPIES = 16;

/**
 * Imports the objects of a source. A run that is killed can be repeated: an object never gets two files.
 *
 * @param report is called after each batch
 * @throws {StowageError} `quota_exceeded` if something is beyond a limit and that is not allowed: then nothing was imported;
 * `invalid_request` if the table is of another import, the project moves to another storage, or the source refuses; `unavailable`
 */
export async function importObjects(
  deps: ImportDeps,
  actor: ProjectActor,
  input: ImportInput,
  report: (progress: ImportProgress) => void,
): Promise<ImportResult> {
  const { table } = deps;
  const project = await readProject(deps, actor.project);
  await requireStorage(deps.db, project, deps.storage);
  const begin: TableLine = {
    type: "import",
    project_ref: project.ref,
    source: deps.source.id,
    ...input.options,
  };
  requireSameImport(table, begin);
  const reading: ReadPagesDeps & RecordFilesDeps = { ...deps, done: table.done };
  const plan = await planImport(reading, project);
  if (plan.overQuota.length > 0 && !input.allowOverQuota) throw overQuota(plan);
  await audit(deps, actor, plan);
  await table.append([begin]);
  const run: Run = {
    deps,
    project,
    allowOverQuota: input.allowOverQuota,
    copyVerified: createCopyVerified({
      ...deps,
      head: (path) => deps.store.head(path),
      refuse: ({ metadata, sizeBytes }) => {
        if (sizeBytes > project.maxFileBytes) return "file_too_large";
        return hasValidMetadata(metadata) ? null : "invalid_metadata";
      },
    }),
    result: { files: 0, bytes: 0, done: 0, skipped: [] },
  };
  for await (const page of readPages(reading, project)) {
    run.result.done += page.doneCount + page.recorded.length;
    for (const { object, reason } of page.skipped) addSkipped(run.result.skipped, reason, object.key);
    await table.append(
      page.recorded.map(({ object, place, path }) => ({
        ...lineOf(object.key, { tenantId: place.tenantId, path }),
        size: object.sizeBytes,
        source_etag: object.etag,
        md5: null,
      })),
    );
    for (let at = 0; at < page.wanted.length; at += BATCH_SIZE) {
      await importBatch(run, page.wanted.slice(at, at + BATCH_SIZE));
      report({ files: run.result.files, bytes: run.result.bytes });
    }
  }
  await table.append([{ type: "end", files: run.result.files }]);
  return run.result;
}

interface Run {
  deps: ImportDeps;
  project: Project;
  allowOverQuota: boolean;
  copyVerified: CopyVerified;
  result: ImportResult;
}

async function importBatch(run: Run, wanted: WantedObject[]): Promise<void> {
  const { deps, project, result } = run;
  const tryOften = <T>(work: () => Promise<T>) => keepTrying(deps.sleep, work);
  const ids = wanted.map(({ place }) => place.tenantId);
  const tenants = await tryOften(() => ensureTenants(deps, project, ids));
  const copied: (CopiedFile & { key: string })[] = [];
  await forEachBounded(wanted, MAX_CONCURRENT_COPIES, async ({ object, place }) => {
    const skip = (reason: string) => addSkipped(result.skipped, reason, object.key);
    const tenant = tenants.get(place.tenantId);
    if (!tenant) return skip("tenant_being_deleted");
    const { key } = object;
    const path = pathOf(project, tenant, { sourceId: deps.source.id, key, filename: place.filename });
    const made = await run.copyVerified(object, path);
    if ("failed" in made) skip(made.failed);
    else copied.push({ ...made, key, place, tenant, path });
  });
  const refused =
    copied.length === 0
      ? new Set<string>()
      : await tryOften(() =>
          recordFiles(deps, project, copied, { storage: deps.storage, ignoresLimits: run.allowOverQuota }),
        );
  const stored = copied.filter(({ path }) => !refused.has(path));
  await deps.table.append(
    stored.map(({ key, place, path, found, md5 }) => ({
      ...lineOf(key, { tenantId: place.tenantId, path }),
      size: found.sizeBytes,
      source_etag: found.etag,
      md5,
    })),
  );
  for (const { key, path } of copied.filter((one) => refused.has(one.path))) {
    addSkipped(result.skipped, "over_quota", key);
    await tryOften(() => deps.store.remove(path));
  }
  result.files += stored.length;
  result.bytes += stored.reduce((sum, { found }) => sum + found.sizeBytes, 0);
}

const lineOf = (key: string, { tenantId, path }: { tenantId: string; path: string }) => ({
  type: "file",
  key,
  file_path: path,
  tenant_id: tenantId,
});

/** The project with its maximum file size. @throws {StowageError} `not_found`, `unavailable` */
export async function readProject(
  { db }: Pick<ImportDeps, "db">,
  project: Project,
): Promise<Project & { maxFileBytes: number }> {
  const [row] = await db.run((db) =>
    db.select({ maxFileBytes: projects.maxFileBytes }).from(projects).where(eq(projects.id, project.id)),
  );
  if (!row) throw new StowageError("not_found", { detail: "Project not found" });
  return { ...project, ...row };
}

/** @throws {StowageError} `invalid_request` */
function requireSameImport({ lastRun, isEnded }: TableFile, begin: TableLine): void {
  if (!lastRun) return;
  const isSame = (members: string[]) => members.every((member) => lastRun[member] === begin[member]);
  if (!isSame(["project_ref", "source"]))
    throw new StowageError("invalid_request", {
      detail: "The table is of another import: name another file with --table",
    });
  if (!isEnded && !isSame(Object.keys(begin)))
    throw new StowageError("invalid_request", {
      detail: "The last run was stopped. Repeat it with the options that it had; then change them",
    });
}

function overQuota({ overQuota: over }: ImportPlan): StowageError {
  const count = over.length === 1 ? "1 tenant" : `${over.length} tenants`;
  return new StowageError("quota_exceeded", {
    detail: `${count} would be beyond a quota or a limit of files, so nothing was imported. See --dry-run; --allow-over-quota imports all`,
  });
}

async function audit(deps: ImportDeps, actor: ProjectActor, { files, bytes }: ImportPlan): Promise<void> {
  await inTransaction(deps.db, (_, tx) =>
    writeAudit(
      tx,
      { ...actor, at: deps.clock() },
      {
        action: "project.files_imported",
        projectId: actor.project.id,
        details: { source: deps.source.id, files, bytes },
      },
    ),
  );
}
