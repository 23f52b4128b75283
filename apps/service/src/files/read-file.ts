import { StowageError } from "@stowage/schemas";
import type { FileInput } from "@stowage/schemas/dashboard";
import { and, eq, ne } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { files, tenants } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { type ListedFile, toListedFile } from "#files/list/browse-files.js";
import { fileColumns } from "./file-record.js";

/** All that is known of a file. */
export interface FileDetails extends ListedFile {
  etag: string | null;
  /** The customer's own labels. */
  metadata: Record<string, string>;
  /** When the upload's URL ends. */
  urlExpiresAt: string;
}

/**
 * One file of the project, by its id.
 *
 * @throws {StowageError} `file_not_found`, also for one that is deleted or another project's; `unavailable`
 */
export async function readFile(
  deps: { db: Queries },
  project: Project,
  { fileId }: FileInput,
): Promise<FileDetails> {
  const [row] = await deps.db.run((db) =>
    db
      .select({
        id: files.id,
        declaredSize: files.declaredSize,
        urlExpiresAt: files.urlExpiresAt,
        ...fileColumns,
      })
      .from(files)
      .innerJoin(tenants, and(eq(tenants.projectId, files.projectId), eq(tenants.id, files.tenant)))
      .where(and(eq(files.projectId, project.id), eq(files.id, fileId), ne(files.status, "deleting"))),
  );
  if (!row) throw new StowageError("file_not_found");
  const { etag, metadata, urlExpiresAt } = row;
  return { ...toListedFile(row), etag, metadata, urlExpiresAt: urlExpiresAt.toISOString() };
}
