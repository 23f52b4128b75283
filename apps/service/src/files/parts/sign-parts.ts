import { limits, type SignPartsRequest, StowageError } from "@stowage/schemas";
import { sizeOfPart } from "@stowage/schemas/rules";
import type { Queries } from "#db/client.js";
import type { files, Multipart } from "#db/schema/index.js";
import { findFileRow } from "#files/record/find-file.js";
import { nextPartsCheckAt } from "#files/record/check-schedule.js";
import type { ObjectStore } from "#object-store/object-store.js";
import type { Project } from "#projects/find-project.js";
import { addMs, SECOND_MS, toWholeSeconds } from "#lib/time.js";
import { type PartSizes, requireOpenParts } from "./upload-of-parts.js";

export interface SignPartsDeps {
  db: Queries;
  store: Pick<
    ObjectStore,
    "presignPart" | "uploadUrlsEnd" | "createMultipart" | "abortMultipart" | "maxParts"
  >;
  clock: () => Date;
}

export interface SignedParts {
  parts: {
    number: number;
    presignedUrl: string;
    headers: Record<string, string>;
    size: number;
    expiresAt: string;
  }[];
}

/** An attempt is repeated when another call started or ended the upload meanwhile. */
const MAX_ATTEMPTS = 5;
const RETRY_AFTER_SECONDS = 1;

/**
 * Signs URLs for the PUTs of some parts. Each allows only the length that the part has, so the parts never have more bytes than the
 * upload reserved. The first call creates the multipart upload in storage.
 *
 * @throws {StowageError} `file_not_found`; `invalid_request` for a file of a single PUT, for a part that the file does not have, and for
 * an upload without parts in storage that takes fewer; `upload_already_stored`; `upload_expired`; `unavailable`
 */
export async function signParts(
  deps: SignPartsDeps,
  project: Project,
  input: SignPartsRequest,
): Promise<SignedParts> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    const file = await findFileRow(deps, project, input);
    const keysEnd = await deps.store.uploadUrlsEnd();
    const now = deps.clock();
    const sizes = requireOpenParts(file, now);
    requireNumbers(input, sizes);
    if (file.multipart?.uploadId === undefined) requireFewParts(deps, sizes);
    const terms = chooseTerms(now, file.urlExpiresAt, keysEnd);
    const uploadId = await startUpload(deps, file, terms);
    if (uploadId !== null) return { parts: await presign(deps, input, { ...sizes, ...terms, uploadId }) };
  }
  throw new StowageError("unavailable", {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: new Error("other calls changed the upload too often"),
  });
}

type FileRow = typeof files.$inferSelect;

function requireNumbers({ parts }: SignPartsRequest, { partCount }: PartSizes): void {
  if (parts.some(({ number }) => number > partCount)) {
    throw new StowageError("invalid_request", { detail: `number must be at most ${partCount}` });
  }
}

/** The setting, or the storage of the project, may have changed after the upload was opened. An upload that has begun stays where it is. */
function requireFewParts({ store: { maxParts } }: SignPartsDeps, { partCount }: PartSizes): void {
  if (partCount <= maxParts) return;
  throw new StowageError("invalid_request", {
    detail: `the upload has ${partCount} parts, and storage takes ${maxParts}: cancel it and open a new one`,
  });
}

interface SignTerms {
  signedAt: Date;
  expiresInSeconds: number;
  expiresAt: Date;
  nextCheckAt: Date;
}

/** URLs are valid for one hour, but not beyond the end of the upload or of the keys. */
function chooseTerms(now: Date, uploadEndsAt: Date, keysEnd: Date | null): SignTerms {
  const signedAt = toWholeSeconds(now);
  const end = Math.min(uploadEndsAt.getTime(), keysEnd?.getTime() ?? Infinity);
  const secondsLeft = Math.floor((end - signedAt.getTime()) / SECOND_MS);
  const expiresInSeconds = Math.max(1, Math.min(limits.uploadUrlSeconds, secondsLeft));
  const expiresAt = addMs(signedAt, expiresInSeconds * SECOND_MS);
  return { signedAt, expiresInSeconds, expiresAt, nextCheckAt: nextPartsCheckAt(now) };
}

/**
 * Returns the ID of the multipart upload, and creates it if there is none. Before any URL exists, the row says when the URLs expire.
 *
 * @returns null if another call changed the upload meanwhile
 */
async function startUpload(deps: SignPartsDeps, file: FileRow, terms: SignTerms): Promise<string | null> {
  const known = file.multipart?.uploadId;
  if (known !== undefined) return (await record(deps, file, known, terms)) ? known : null;
  const uploadId = await deps.store.createMultipart(file.path, {
    contentType: file.contentType,
    cacheControl: file.cacheControl ?? undefined,
  });
  if (await record(deps, file, uploadId, terms)) return uploadId;
  await deps.store.abortMultipart({ path: file.path, uploadId });
  return null;
}

/*
 * `$3` is the revision of the row that was read, or null if it had the ID already. Two changes are a new revision: a new ID, because
 * a cancel that found no ID to abort must look again; and the first URL after all others had expired ($7: now), because a sweeper that
 * looks at the same time would otherwise plan its next look for hours later.
 */
const URLS_EXPIRE_AT = "(multipart ->> 'urlsExpireAt')::bigint";
const RECORD = `
update files set
  multipart = jsonb_set(multipart || $8::text::jsonb, '{urlsExpireAt}', greatest(${URLS_EXPIRE_AT}, $5::bigint)::text::jsonb),
  next_check_at = least(next_check_at, $6::timestamptz),
  revision = revision + case when multipart ->> 'uploadId' is null or ${URLS_EXPIRE_AT} <= $7::bigint then 1 else 0 end
where project_id = $1 and id = $2 and (status = 'pending') is true
  and case when $3::int is null then multipart ->> 'uploadId' = $4 else multipart ->> 'uploadId' is null and revision = $3 end
returning id`;

async function record(
  { db }: { db: Queries },
  file: FileRow,
  uploadId: string,
  { expiresAt, nextCheckAt, signedAt }: SignTerms,
): Promise<boolean> {
  const rows = await db.execute(RECORD, [
    file.projectId,
    file.id,
    file.multipart?.uploadId === undefined ? file.revision : null,
    uploadId,
    expiresAt.getTime(),
    nextCheckAt.toISOString(),
    signedAt.getTime(),
    JSON.stringify({ uploadId } satisfies Multipart),
  ]);
  return rows.length > 0;
}

/** In the order of the request. */
function presign(
  { store }: Pick<SignPartsDeps, "store">,
  { filePath, parts }: SignPartsRequest,
  upload: PartSizes & SignTerms & { uploadId: string },
): Promise<SignedParts["parts"]> {
  const { uploadId, signedAt, expiresInSeconds, expiresAt } = upload;
  return Promise.all(
    parts.map(async ({ number, contentMd5 }) => {
      const size = sizeOfPart(number, upload);
      const presignedUrl = await store.presignPart({
        path: filePath,
        uploadId,
        number,
        sizeBytes: size,
        contentMd5,
        signedAt,
        expiresInSeconds,
      });
      const headers: Record<string, string> = contentMd5 === undefined ? {} : { "Content-MD5": contentMd5 };
      return { number, presignedUrl, headers, size, expiresAt: expiresAt.toISOString() };
    }),
  );
}
