import { and, eq, isNull, lte, or, sql } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { files } from "#db/schema/index.js";
import { hasStatus, isFile } from "#files/record/file-conditions.js";
import { addMs, SECOND_MS } from "#lib/time.js";
import { uploadIdOf, withChange, withoutUpload } from "./forget-upload.js";

/*
 * If a multipart upload is completed and aborted at the same time, Ceph can answer both with success, at least until 17.2.8. Then HEAD
 * finds the object, but its bytes are lost (https://github.com/ceph/ceph/pull/60771; on 16.2, 4 of 12 tries lost them). So replicas
 * exclude each other by the row of the file. Only a delete aborts without asking, because then the object is removed as well.
 */

interface ClaimDeps {
  db: Queries;
  clock: () => Date;
}

type FileRow = typeof files.$inferSelect;

/**
 * Longer than the deadline of a completion (COMPLETE_TIMEOUT_MS in s3-multipart.ts), which covers the second attempt of the SDK too.
 * Storage that is very slow may still work after it.
 */
const MAX_COMPLETION_MS = 35 * SECOND_MS;

const COMPLETING_UNTIL = sql`(multipart ->> 'completingUntil')::bigint`;

/**
 * Keeps other calls from aborting the upload while storage completes it. Several calls may complete it at the same time.
 *
 * @returns when the claim ends; null if the file does not have this upload any more
 * @throws {StowageError} `unavailable`
 */
export async function claimCompletion({ db, clock }: ClaimDeps, file: FileRow): Promise<Date | null> {
  const isUpload = and(isFile(file), eq(uploadIdOf, file.multipart?.uploadId ?? ""), hasStatus("pending"));
  const completingUntil = addMs(clock(), MAX_COMPLETION_MS);
  const rows = await db.run((db) =>
    db
      .update(files)
      .set({ multipart: withChange({ completingUntil: completingUntil.getTime() }) })
      .where(isUpload)
      .returning({ id: files.id }),
  );
  return rows.length > 0 ? completingUntil : null;
}

/** Gives a claim back, because storage has answered. A later claim of another call stays. @throws {StowageError} `unavailable` */
export async function releaseCompletion({ db }: ClaimDeps, file: FileRow, claimedUntil: Date): Promise<void> {
  await db.run((db) =>
    db
      .update(files)
      .set({ multipart: sql`multipart - 'completingUntil'` })
      .where(and(isFile(file), eq(COMPLETING_UNTIL, claimedUntil.getTime()))),
  );
}

/**
 * Takes the upload from the row, so that no call completes it any more. The caller then aborts it. The bytes stay reserved.
 *
 * @returns the row after that; null if it has changed since it was read, or if storage may be completing the upload
 * @throws {StowageError} `unavailable`
 */
export async function claimAbort({ db, clock }: ClaimDeps, file: FileRow): Promise<FileRow | null> {
  if (file.multipart?.uploadId === undefined) return file;
  const isUnclaimed = or(isNull(COMPLETING_UNTIL), lte(COMPLETING_UNTIL, clock().getTime()));
  const [claimed] = await db.run((db) =>
    db
      .update(files)
      .set({ ...withoutUpload, revision: sql`${files.revision} + 1` })
      .where(and(isFile(file), eq(files.revision, file.revision), isUnclaimed))
      .returning(),
  );
  return claimed ?? null;
}
