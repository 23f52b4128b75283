import { limits, type UploadRequest } from "@stowage/schemas";
import type { ObjectStore } from "#object-store/object-store.js";
import { SECOND_MS, toWholeSeconds } from "#lib/time.js";
import { chooseEnd } from "./choose-end.js";
import { firstCheckAt } from "#files/record/check-schedule.js";
import { admitFile, type AdmitFileDeps } from "./admit-file.js";
import type { UploadTarget } from "./admit-uploads.js";
import { toIdempotency } from "./idempotency.js";

export interface RequestUploadDeps extends AdmitFileDeps {
  store: Pick<ObjectStore, "presignPut" | "uploadUrlsEnd" | "encryptionHeaders" | "published">;
  clock: () => Date;
}

export interface RequestedUpload {
  presignedUrl: string;
  filePath: string;
  tenantId: string;
  isNewTenant: boolean;
  contentType: string;
  headers: Record<string, string>;
  expiresAt: string;
  maxBytes: number;
}

/**
 * Starts one upload: admits its file and signs the URL to which the client sends the bytes.
 *
 * With an `idempotencyKey` that was used before, it answers the upload of the first request with a new URL, and reserves nothing.
 * If that upload has expired, it is opened again. If its file was deleted or cancelled, the request opens a new upload.
 *
 * @throws the errors of {@link admitFile}; {@link StowageError} `unavailable` without keys of storage
 */
export async function requestUpload(
  deps: RequestUploadDeps,
  target: UploadTarget,
  input: UploadRequest,
  idempotencyKey?: string,
): Promise<RequestedUpload> {
  // In front of the admission: without keys nothing is reserved.
  const keysEnd = await deps.store.uploadUrlsEnd();
  const now = deps.clock();
  const signedAt = toWholeSeconds(now);
  const { urlExpiresAt: expiresAt, fileExpiresAt } = chooseEnd(
    signedAt,
    limits.uploadUrlSeconds * SECOND_MS,
    input.expiresAfter,
    keysEnd,
  );
  const { path, isNewTenant, contentType, maxFileBytes } = await admitFile(deps, target, input, {
    now,
    urlExpiresAt: expiresAt,
    fileExpiresAt,
    nextCheckAt: firstCheckAt(now),
    ...(idempotencyKey !== undefined && {
      idempotency: toIdempotency(idempotencyKey, input, { now, urlExpiresAt: expiresAt }),
    }),
  });
  const presignedUrl = await deps.store.presignPut({
    path,
    contentType,
    cacheControl: input.cacheControl,
    sizeBytes: input.size,
    contentMd5: input.contentMd5,
    signedAt,
    expiresInSeconds: (expiresAt.getTime() - signedAt.getTime()) / SECOND_MS,
  });
  return {
    presignedUrl,
    filePath: path,
    tenantId: input.tenantId,
    isNewTenant,
    contentType,
    headers: {
      "Content-Type": contentType,
      ...(input.contentMd5 ? { "Content-MD5": input.contentMd5 } : {}),
      ...(input.cacheControl ? { "Cache-Control": input.cacheControl } : {}),
      ...deps.store.encryptionHeaders,
    },
    expiresAt: expiresAt.toISOString(),
    // A project's maximum may be larger than what storage takes in one PUT.
    maxBytes: input.size ?? Math.min(maxFileBytes, limits.fileSizeBytes),
  };
}
