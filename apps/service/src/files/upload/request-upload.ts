import { limits, StowageError, type UploadRequest } from "@stowage/schemas";
import type { ObjectStore } from "#object-store/object-store.js";
import { type RandomBytes, randomRef } from "#lib/random.js";
import { addMs, SECOND_MS, toWholeSeconds } from "#lib/time.js";
import { firstCheckAt } from "#files/settle/check-schedule.js";
import type { AdmissionResult, AdmitUpload, UploadTarget } from "./admit-uploads.js";
import { detectContentType } from "./detect-content-type.js";
import { toIdempotency } from "./idempotency.js";
import { sanitizeFilename } from "./object-key.js";

export interface RequestUploadDeps {
  admit: AdmitUpload;
  store: Pick<ObjectStore, "presignPut">;
  clock: () => Date;
  randomBytes: RandomBytes;
  defaultQuotaBytes: number | null;
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
 * Starts one upload: records the file as pending, reserves its size in the tenant's quota, creates the tenant on its first upload,
 * and signs the URL to which the client sends the bytes.
 *
 * @param target the project, by the hash of its API key or by its id. The SQL statement that admits the upload also finds it
 * With an `idempotencyKey` that was used before, it answers the upload of the first request with a new URL, and reserves nothing.
 * If that upload has expired, it is opened again. If its file was deleted or cancelled, the request opens a new upload.
 *
 * @throws {StowageError} `unauthorized`, `not_found`, `size_required`, `file_too_large`, `quota_exceeded`,
 * `idempotency_key_reused` if the key was used for another request, `unavailable`
 */
export async function requestUpload(
  deps: RequestUploadDeps,
  target: UploadTarget,
  input: UploadRequest,
  idempotencyKey?: string,
): Promise<RequestedUpload> {
  const now = deps.clock();
  const signedAt = toWholeSeconds(now);
  const expiresAt = addMs(signedAt, limits.uploadUrlSeconds * SECOND_MS);
  const contentType = input.contentType ?? (await detectContentType(input.filename));
  const result = await deps.admit({
    target,
    tenantId: input.tenantId,
    newTenantRef: randomRef(deps.randomBytes),
    objectName: `${randomRef(deps.randomBytes)}_${sanitizeFilename(input.filename)}`,
    filename: input.filename,
    contentType,
    sizeBytes: input.size ?? null,
    metadata: input.metadata ?? {},
    now,
    urlExpiresAt: expiresAt,
    nextCheckAt: firstCheckAt(now),
    defaultQuotaBytes: deps.defaultQuotaBytes,
    ...(idempotencyKey !== undefined && {
      idempotency: toIdempotency(idempotencyKey, input, { now, urlExpiresAt: expiresAt }),
    }),
  });
  if (result.outcome !== "admitted") throw toError(result, target);
  const presignedUrl = await deps.store.presignPut({
    path: result.path,
    contentType,
    sizeBytes: input.size,
    contentMd5: input.contentMd5,
    signedAt,
    expiresInSeconds: limits.uploadUrlSeconds,
  });
  return {
    presignedUrl,
    filePath: result.path,
    tenantId: input.tenantId,
    isNewTenant: result.isNewTenant,
    contentType,
    headers: {
      "Content-Type": contentType,
      ...(input.contentMd5 ? { "Content-MD5": input.contentMd5 } : {}),
    },
    expiresAt: expiresAt.toISOString(),
    maxBytes: input.size ?? result.maxFileBytes,
  };
}

function toError(
  refusal: Exclude<AdmissionResult, { outcome: "admitted" }>,
  target: UploadTarget,
): StowageError {
  switch (refusal.outcome) {
    case "unknown_project":
      return target.apiKeyHash
        ? new StowageError("unauthorized")
        : new StowageError("not_found", { detail: "Project not found" });
    case "file_too_large":
      return new StowageError("file_too_large", {
        detail: `size must be at most ${refusal.maxFileBytes} bytes`,
      });
    case "key_reused":
      return new StowageError("idempotency_key_reused");
    case "size_required":
    case "quota_exceeded":
      return new StowageError(refusal.outcome);
  }
}
