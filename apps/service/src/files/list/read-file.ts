import { StowageError, type Visibility } from "@stowage/schemas";
import { type FileInput, fileStatusTraits } from "@stowage/operator-schemas";
import { and, eq, ne } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { files, replacements, tenants } from "#db/schema/index.js";
import type { ObjectStore } from "#object-store/object-store.js";
import type { Project } from "#projects/find-project.js";
import { type ListedFile, toListedFile } from "./browse-files.js";
import { isFile, isTenantOfFile } from "#files/record/file-conditions.js";
import { visibilityOf } from "#files/record/file-record.js";
import { isPublishable } from "#files/record/require-publishable.js";
import { listedColumns } from "./read-files.js";

/** Everything the dashboard shows about a file. */
export interface FileDetails extends ListedFile {
  etag: string | null;
  /** "" is the root. */
  folder: string;
  /** The customer's own key-value pairs. */
  metadata: Record<string, string>;
  visibility: Visibility;
  /** Where everyone can read the file; null if it is private, or on its way to the public bucket or back. */
  publicUrl: string | null;
  /** Whether the file may become public: there is a public bucket, and neither its type nor its size forbids it. */
  canBePublic: boolean;
  /** What the virus scan named; null if it named nothing. */
  scanSignature: string | null;
  /** The file that replaced this one, which is in the trash; null also if that file is gone. */
  replacedBy: OtherFile | null;
  /** The file that this upload replaces when its bytes arrive. */
  replaces: OtherFile | null;
}

type OtherFile = Pick<ListedFile, "id" | "filename">;

const detailColumns = {
  scanSignature: files.scanSignature,
  visibility: files.visibility,
  place: files.place,
  hasOtherCopy: files.hasOtherCopy,
  replacedBy: files.replacedBy,
};

/**
 * Reads one file of the project by its id.
 *
 * @throws {StowageError} `file_not_found`, also for a deleted file and for another project's file; `unavailable`
 */
export async function readFile(
  deps: { db: Queries; store: Pick<ObjectStore, "published"> },
  project: Project,
  { fileId }: FileInput,
): Promise<FileDetails> {
  const [row] = await deps.db.run((db) =>
    db
      .select({ ...listedColumns(project.id), ...detailColumns })
      .from(files)
      .innerJoin(tenants, isTenantOfFile())
      .where(and(isFile({ projectId: project.id, id: fileId }), ne(files.status, "deleting"))),
  );
  if (!row) throw new StowageError("file_not_found");
  const { etag, folder, metadata, scanSignature } = row;
  const { visibility = "private", publicUrl = null } = visibilityOf(row, deps.store.published);
  const canBePublic = isPublishable(deps.store, row);
  const [replacedBy, replaces] = await Promise.all([
    row.status === "trashed" && row.replacedBy !== null ? findByPath(deps, project, row.replacedBy) : null,
    fileStatusTraits[row.status].counts ? null : findReplacedFile(deps, project, fileId),
  ]);
  const others = { replacedBy, replaces };
  return {
    ...toListedFile(row),
    etag,
    folder,
    metadata,
    scanSignature,
    visibility,
    publicUrl,
    canBePublic,
    ...others,
  };
}

const otherFile = { id: files.id, filename: files.filename };

async function findByPath(deps: { db: Queries }, project: Project, path: string): Promise<OtherFile | null> {
  const [other] = await deps.db.run((db) =>
    db
      .select(otherFile)
      .from(files)
      .where(and(eq(files.projectId, project.id), eq(files.path, path))),
  );
  return other ?? null;
}

async function findReplacedFile(
  deps: { db: Queries },
  project: Project,
  uploadId: number,
): Promise<OtherFile | null> {
  const [old] = await deps.db.run((db) =>
    db
      .select(otherFile)
      .from(replacements)
      .innerJoin(files, and(eq(files.projectId, replacements.projectId), eq(files.id, replacements.oldFile)))
      .where(and(eq(replacements.projectId, project.id), eq(replacements.newFile, uploadId))),
  );
  return old ?? null;
}
