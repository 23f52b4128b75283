import { limits, type OpenUploadRequest, StowageError } from "@stowage/schemas";
import { choosePartSize, countParts } from "@stowage/schemas/rules";
import { pendingExpiresAt } from "#files/record/check-schedule.js";
import { admitFile, type AdmitFileDeps } from "./admit-file.js";
import type { UploadTarget } from "./admit-uploads.js";
import type { ObjectStore } from "#object-store/object-store.js";
import { chooseEnd } from "./choose-end.js";
import { toIdempotency } from "./idempotency.js";
import { DAY_MS, toWholeSeconds } from "#lib/time.js";

export interface OpenUploadDeps extends AdmitFileDeps {
  store: Pick<ObjectStore, "published" | "maxParts">;
  clock: () => Date;
  /** How many days an upload by parts may take. */
  uploadSessionDays: number;
}

export interface OpenedUpload {
  filePath: string;
  tenantId: string;
  isNewTenant: boolean;
  contentType: string;
  partSize: number;
  partCount: number;
  expiresAt: string;
  maxBytes: number;
}

/**
 * Opens an upload by parts: admits its file and reserves its whole size. Storage is not asked, because the path of the multipart
 * upload is known only after the admission: the first call that signs parts creates it (sign-parts.ts).
 *
 * With an `idempotencyKey` that was used before, it answers the upload of the first request, as `requestUpload` does. A key of a
 * single PUT is not one of an upload by parts.
 *
 * @throws {StowageError} `invalid_request` if storage takes fewer parts than the file has
 * @throws the errors of {@link admitFile}
 */
export async function openUpload(
  deps: OpenUploadDeps,
  target: UploadTarget,
  input: OpenUploadRequest,
  idempotencyKey?: string,
): Promise<OpenedUpload> {
  const now = deps.clock();
  const { urlExpiresAt: expiresAt, fileExpiresAt } = chooseEnd(
    toWholeSeconds(now),
    deps.uploadSessionDays * DAY_MS,
    input.expiresAfter,
  );
  const { maxParts } = deps.store;
  const partSize = input.partSize ?? choosePartSize(input.size, maxParts);
  if (partSize > limits.maxPartSizeBytes || countParts(input.size, partSize) > maxParts) {
    const wrong = input.partSize === undefined ? "size is too large" : "part_size is too small";
    throw new StowageError("invalid_request", { detail: `${wrong}: a file has at most ${maxParts} parts` });
  }
  const { path, isNewTenant, contentType } = await admitFile(deps, target, input, {
    now,
    urlExpiresAt: expiresAt,
    fileExpiresAt,
    // Storage can have parts only after some are signed, and then the sweeper checks earlier.
    nextCheckAt: pendingExpiresAt(expiresAt),
    parts: { sizeBytes: partSize, fingerprint: input.fingerprint ?? null },
    ...(idempotencyKey !== undefined && {
      // With the part size: a release that chooses another one must not answer it for an upload that has the old one.
      idempotency: toIdempotency(
        idempotencyKey,
        { ...input, parts: partSize },
        { now, urlExpiresAt: expiresAt },
      ),
    }),
  });
  return {
    filePath: path,
    tenantId: input.tenantId,
    isNewTenant,
    contentType,
    partSize,
    partCount: countParts(input.size, partSize),
    expiresAt: expiresAt.toISOString(),
    maxBytes: input.size,
  };
}
