import { and, eq, sql } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { files, type Multipart } from "#db/schema/index.js";
import { hasStatus, isFileAt } from "#files/record/file-conditions.js";
import type { MultipartRef } from "#object-store/object-store.js";

/** What the row of a file without a multipart upload in storage contains. */
export const withoutUpload = {
  multipart: sql`multipart - '{uploadId,partsStored,bytesStored,urlsExpireAt,completingUntil}'::text[]`,
};

/** The state of an upload with some other members. */
export const withChange = (change: Multipart) => sql`multipart || ${JSON.stringify(change)}::text::jsonb`;

/** Storage's ID of the upload of a file, in SQL. */
export const uploadIdOf = sql<string | null>`${files.multipart} ->> 'uploadId'`;

/**
 * Removes a multipart upload that storage lost from the row of its file. The next signed part starts a new one. The bytes stay
 * reserved.
 *
 * @returns false if the file does not have this upload any more
 * @throws {StowageError} `unavailable`
 */
export async function forgetUpload(
  deps: { db: Queries },
  projectId: number,
  { path, uploadId }: MultipartRef,
): Promise<boolean> {
  const rows = await deps.db.run((db) =>
    db
      .update(files)
      .set({ ...withoutUpload, revision: sql`${files.revision} + 1` })
      .where(and(isFileAt(projectId, path), eq(uploadIdOf, uploadId), hasStatus("pending")))
      .returning({ id: files.id }),
  );
  return rows.length > 0;
}
