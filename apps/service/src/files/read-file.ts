import { StowageError } from "@stowage/schemas";
import type { FileInput } from "@stowage/schemas/dashboard";
import { and, ne } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { files, tenants } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { type ListedFile, toListedFile } from "#files/list/browse-files.js";
import { isFile, isTenantOfFile } from "./file-conditions.js";
import { listedColumns } from "#files/list/read-files.js";

/** Everything the dashboard shows about a file. */
export interface FileDetails extends ListedFile {
  etag: string | null;
  /** The customer's own key-value pairs. */
  metadata: Record<string, string>;
  /** What the virus scan named; null if it named nothing. */
  scanSignature: string | null;
}

/**
 * Reads one file of the project by its id.
 *
 * @throws {StowageError} `file_not_found`, also for a deleted file and for another project's file; `unavailable`
 */
export async function readFile(
  deps: { db: Queries },
  project: Project,
  { fileId }: FileInput,
): Promise<FileDetails> {
  const [row] = await deps.db.run((db) =>
    db
      .select({ ...listedColumns(project.id), scanSignature: files.scanSignature })
      .from(files)
      .innerJoin(tenants, isTenantOfFile())
      .where(and(isFile({ projectId: project.id, id: fileId }), ne(files.status, "deleting"))),
  );
  if (!row) throw new StowageError("file_not_found");
  const { etag, metadata, scanSignature } = row;
  return { ...toListedFile(row), etag, metadata, scanSignature };
}
