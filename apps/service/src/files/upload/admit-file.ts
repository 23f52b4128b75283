import { type CountLimits, StowageError, type Visibility } from "@stowage/schemas";
import { mediaTypeOf } from "@stowage/schemas/rules";
import { requirePublishable } from "#files/record/require-publishable.js";
import { type RandomBytes, randomRef } from "#lib/random.js";
import type { ObjectStore } from "#object-store/object-store.js";
import type { AdmissionRequest, AdmissionResult, AdmitUpload, UploadTarget } from "./admit-uploads.js";
import { sanitizeFilename } from "./object-key.js";

export interface AdmitFileDeps {
  admit: AdmitUpload;
  store: Pick<ObjectStore, "published">;
  randomBytes: RandomBytes;
  defaultQuotaBytes: number | null;
  defaultLimits: CountLimits;
}

/** What a customer says about a file that will be uploaded. */
export interface NewFile {
  tenantId: string;
  filename: string;
  contentType?: string | undefined;
  cacheControl?: string | undefined;
  visibility?: Visibility | undefined;
  size?: number | undefined;
  metadata?: Record<string, string> | undefined;
  /** @default the root */
  folder?: string | undefined;
  replaces?: string | undefined;
}

/** How and until when the file is uploaded. */
export type UploadTerms = Pick<
  AdmissionRequest,
  "now" | "urlExpiresAt" | "fileExpiresAt" | "nextCheckAt" | "parts" | "idempotency"
>;

export interface AdmittedFile {
  path: string;
  isNewTenant: boolean;
  contentType: string;
  /** The project's maximum file size. */
  maxFileBytes: number;
}

/**
 * Records a file as pending, reserves its size in the tenant's quota, and creates the tenant on its first upload.
 *
 * @param target the project, by the hash of its API key or by its id. The SQL statement that admits the upload also finds it
 * @throws {StowageError} `invalid_request` for a file that cannot be public; `unauthorized`, `not_found`, `size_required`,
 * `file_too_large`, `quota_exceeded`, `file_limit_exceeded`, `too_many_requests`, `tenant_being_deleted`, `idempotency_key_reused` if the key was used for another request,
 * `file_not_found`, `file_on_hold` or `file_being_replaced` for the file to replace, `unavailable`
 */
export async function admitFile(
  deps: AdmitFileDeps,
  target: UploadTarget,
  file: NewFile,
  terms: UploadTerms,
): Promise<AdmittedFile> {
  const contentType = file.contentType ?? mediaTypeOf({ name: file.filename, type: "" });
  requirePublishable(deps.store, { visibility: file.visibility, contentType, size: file.size ?? null });
  const result = await deps.admit({
    target,
    tenantId: file.tenantId,
    newTenantRef: randomRef(deps.randomBytes),
    objectName: `${randomRef(deps.randomBytes)}_${sanitizeFilename(file.filename)}`,
    filename: file.filename,
    contentType,
    cacheControl: file.cacheControl,
    visibility: file.visibility,
    sizeBytes: file.size ?? null,
    metadata: file.metadata ?? {},
    folder: file.folder,
    replaces: file.replaces,
    defaultQuotaBytes: deps.defaultQuotaBytes,
    defaultLimits: deps.defaultLimits,
    ...terms,
  });
  if (result.outcome !== "admitted") throw toError(result, target);
  const { path, isNewTenant, maxFileBytes } = result;
  return { path, isNewTenant, contentType, maxFileBytes };
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
    case "too_many_uploads":
      return new StowageError("too_many_requests", { retryAfterSeconds: refusal.retryAfterSeconds });
    case "file_limit_exceeded":
    case "tenant_being_deleted":
    case "size_required":
    case "quota_exceeded":
    case "file_not_found":
    case "file_on_hold":
    case "file_being_replaced":
      return new StowageError(refusal.outcome);
  }
}
