import { limits, StowageError, type UploadRequest } from "@stowage/schemas";
import type { ObjectStore } from "#object-store/object-store.js";
import { type RandomBytes, randomRef } from "#lib/random.js";
import type { Admit, Into } from "./admission.js";
import { detectContentType } from "./detect-content-type.js";
import { firstLookAt } from "#files/settle/look-schedule.js";
import { safeName } from "./object-key.js";

export interface RequestUploadDeps {
  admit: Admit;
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
 * Opens one upload: records the file as pending, reserves its size against the tenant's quota, makes the tenant if this
 * is its first, and signs the URL for the bytes.
 *
 * @param into the hash of a well-formed key, or a project: whether there is one is judged with everything else
 * @throws {StowageError} `unauthorized`, `not_found`, `size_required`, `file_too_large`, `quota_exceeded`, `unavailable`
 */
export async function requestUpload(
  deps: RequestUploadDeps,
  into: Into,
  input: UploadRequest,
): Promise<RequestedUpload> {
  const now = deps.clock();
  // Signing knows whole seconds only: the row and the answer must not promise more than the URL keeps.
  const signedAt = new Date(Math.floor(now.getTime() / 1000) * 1000);
  const expiresAt = new Date(signedAt.getTime() + limits.uploadUrlSeconds * 1000);
  const contentType = input.contentType ?? (await detectContentType(input.filename));
  const admission = await deps.admit({
    into,
    tenantId: input.tenantId,
    newTenantRef: randomRef(deps.randomBytes),
    objectName: `${randomRef(deps.randomBytes)}_${safeName(input.filename)}`,
    filename: input.filename,
    contentType,
    sizeBytes: input.size ?? null,
    metadata: input.metadata ?? {},
    now,
    urlExpiresAt: expiresAt,
    nextLookAt: firstLookAt(now),
    defaultQuotaBytes: deps.defaultQuotaBytes,
  });
  switch (admission.outcome) {
    case "unknown_project":
      throw "apiKeyHash" in into
        ? new StowageError("unauthorized")
        : new StowageError("not_found", { detail: "Project not found" });
    case "file_too_large":
      throw new StowageError("file_too_large", {
        detail: `size must be at most ${admission.maxFileBytes} bytes`,
      });
    case "size_required":
    case "quota_exceeded":
      throw new StowageError(admission.outcome);
    case "admitted":
  }
  const presignedUrl = await deps.store.presignPut({
    path: admission.path,
    contentType,
    sizeBytes: input.size,
    contentMd5: input.contentMd5,
    signedAt,
    expiresInSeconds: limits.uploadUrlSeconds,
  });
  return {
    presignedUrl,
    filePath: admission.path,
    tenantId: input.tenantId,
    isNewTenant: admission.isNewTenant,
    contentType,
    headers: {
      "Content-Type": contentType,
      ...(input.contentMd5 ? { "Content-MD5": input.contentMd5 } : {}),
    },
    expiresAt: expiresAt.toISOString(),
    maxBytes: input.size ?? admission.maxFileBytes,
  };
}
