import { StowageError } from "@stowage/schemas";
import type { DiscardUploadsInput } from "@stowage/operator-schemas";
import { and, eq, inArray, ne } from "drizzle-orm";
import type { ProjectCaller } from "#audit/caller.js";
import { type AuditEntry, auditedTransaction } from "#audit/write-audit.js";
import { files } from "#db/schema/index.js";
import type { DeletingFile } from "#files/end/mark-deleting.js";
import { type CancelUploadDeps, endUpload, markUnstored, untilEnded } from "./cancel-upload.js";
import { forEachBounded } from "#lib/for-each-bounded.js";
import { isTemporary } from "#lib/temporary-error.js";
import type { Project } from "#projects/find-project.js";

/** The ids of the input, each in one of the lists, in the order of the input. */
export interface DiscardedUploads {
  discarded: number[];
  /** Their bytes have arrived, so they are files now and were kept. */
  stored: number[];
  /** Includes uploads that another call ended first. */
  notFound: number[];
  /** Storage or the database did not answer, so they are unchanged. */
  failed: number[];
}

/** Small, because each upload takes a connection of the project's lane. */
const MAX_CONCURRENT = 4;

/**
 * Ends uploads that are not stored, for an operator, as `cancelUpload` does for a customer: the reservations are returned before
 * this resolves, and bytes that arrive later are removed. Unlike a customer's cancel, it also takes an expired upload out of the
 * lists. Each upload has its own transaction and its audit entry. Safe to repeat.
 *
 * @throws {StowageError} `unavailable` if no upload could be ended
 */
export async function discardUploads(
  deps: CancelUploadDeps,
  caller: ProjectCaller,
  { fileIds }: DiscardUploadsInput,
): Promise<DiscardedUploads> {
  const outcomes = new Map<number, Outcome>();
  let failure: unknown;
  await forEachBounded(await readUploads(deps, caller.project, fileIds), MAX_CONCURRENT, async (file) => {
    try {
      outcomes.set(file.id, await discardUpload(deps, caller, file));
    } catch (error) {
      if (!isTemporary(error)) throw error;
      failure = error;
      outcomes.set(file.id, "failed");
    }
  });
  if (failure && [...outcomes.values()].every((outcome) => outcome === "failed")) throw failure;
  const withOutcome = (outcome: Outcome) => fileIds.filter((id) => (outcomes.get(id) ?? "gone") === outcome);
  return {
    discarded: withOutcome("discarded"),
    stored: withOutcome("stored"),
    notFound: withOutcome("gone"),
    failed: withOutcome("failed"),
  };
}

type Outcome = "discarded" | "stored" | "gone" | "failed";
type FileRow = typeof files.$inferSelect;

function readUploads(deps: CancelUploadDeps, project: Project, fileIds: number[]): Promise<FileRow[]> {
  const isSelected = and(eq(files.projectId, project.id), inArray(files.id, fileIds));
  return deps.db.run((db) =>
    db
      .select()
      .from(files)
      .where(and(isSelected, ne(files.status, "deleting"))),
  );
}

async function discardUpload(deps: CancelUploadDeps, caller: ProjectCaller, file: FileRow): Promise<Outcome> {
  const { project, operator } = caller;
  const mark = (seen: FileRow) =>
    auditedTransaction(deps, caller, async (deps) => {
      const marked = await markUnstored(deps, project, seen, operator.email);
      const entry = marked.map((upload) => auditEntryOf(project, upload));
      return { result: entry.length > 0 ? ("marked" as const) : ("changed" as const), entry };
    });
  let upload: FileRow | undefined = file;
  try {
    await untilEnded(async () => {
      if (!upload || (await endUpload(deps, project, upload, mark))) return true;
      [upload] = await readUploads(deps, project, [file.id]);
      return false;
    });
  } catch (error) {
    if (error instanceof StowageError && error.code === "upload_already_stored") return "stored";
    throw error;
  }
  return upload ? "discarded" : "gone";
}

/** Names the upload as it was, because its row is gone afterwards. */
function auditEntryOf(
  project: Project,
  { filename, tenantId, path, reservedBytes }: DeletingFile,
): AuditEntry {
  const details = { filename, tenantId, path, reservedBytes };
  return { action: "file.upload_discarded", projectId: project.id, details };
}
