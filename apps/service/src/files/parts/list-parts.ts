import type { ListPartsQuery } from "@stowage/schemas";
import type { Queries } from "#db/client.js";
import { findFileRow } from "#files/record/find-file.js";
import { readCursor, writeCursor } from "#lib/cursor.js";
import type { ObjectStore } from "#object-store/object-store.js";
import type { Project } from "#projects/find-project.js";
import { requireOpenParts } from "./upload-of-parts.js";

export interface ListPartsDeps {
  db: Queries;
  store: Pick<ObjectStore, "listParts">;
  clock: () => Date;
}

export interface PartsPage {
  parts: { number: number; size: number; etag: string }[];
  nextCursor: string | null;
  declaredSize: number;
  partSize: number;
  partCount: number;
  expiresAt: string;
}

/** The name of this list in its cursors. */
const LIST = "parts";

/**
 * Lists the parts of an open upload that storage has now, in the order of their numbers.
 *
 * @throws {StowageError} `file_not_found`; `invalid_request` for a file of a single PUT and for a cursor that this list did not make;
 * `upload_already_stored`; `upload_expired`; `unavailable`
 */
export async function listParts(
  deps: ListPartsDeps,
  project: Project,
  query: ListPartsQuery,
): Promise<PartsPage> {
  const [after] = query.cursor === undefined ? [0] : readCursor(LIST, ["number"], query.cursor);
  const file = await findFileRow(deps, project, query);
  const { sizeBytes, partSizeBytes, partCount } = requireOpenParts(file, deps.clock());
  const { multipart, path } = file;
  const uploadId = multipart?.uploadId;
  // Storage does not know an upload that has just been completed, or that a rule of the bucket removed.
  const page = uploadId === undefined ? null : await deps.store.listParts({ path, uploadId }, after);
  return {
    parts: (page?.parts ?? []).map(({ number, sizeBytes: size, etag }) => ({ number, size, etag })),
    nextCursor: page?.nextCursor == null ? null : writeCursor(LIST, [page.nextCursor]),
    declaredSize: sizeBytes,
    partSize: partSizeBytes,
    partCount,
    expiresAt: file.urlExpiresAt.toISOString(),
  };
}
