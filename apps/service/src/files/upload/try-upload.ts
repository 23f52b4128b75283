import type { BrowserUploadRequest } from "@stowage/schemas";
import { tryItTenantId } from "@stowage/operator-schemas";
import type { ProjectCaller } from "#audit/caller.js";
import { auditedTransaction } from "#audit/write-audit.js";
import type { Queries } from "#db/client.js";
import { createUnbatchedAdmit } from "./admit-uploads.js";
import { requestUpload, type RequestedUpload, type RequestUploadDeps } from "./request-upload.js";

type TryUploadDeps = Omit<RequestUploadDeps, "admit"> & { db: Queries };

interface TryItUpload extends RequestedUpload {
  /** Seconds until the URL expires. Relative, because a browser's clock may be wrong by hours. */
  expiresIn: number;
}

/**
 * Requests an upload for the dashboard's "Try it" page, into a tenant that exists only for it. All rules for customers' uploads
 * apply, but no API key is needed, because operators cannot read it. The audit entry records the request, not whether a file arrived.
 *
 * @throws {StowageError} `not_found`, `size_required`, `file_too_large`, `quota_exceeded`, `unavailable`
 */
export async function tryUpload(
  deps: TryUploadDeps,
  caller: ProjectCaller,
  { filename, contentType, size, contentMd5 }: BrowserUploadRequest,
): Promise<TryItUpload> {
  const projectId = caller.project.id;
  // Renews temporary keys here, because no request may be sent inside a transaction.
  await deps.store.uploadUrlsEnd();
  return auditedTransaction(deps, caller, async (deps) => {
    const upload = await requestUpload(
      { ...deps, admit: createUnbatchedAdmit(deps.db) },
      { projectId },
      { tenantId: tryItTenantId, filename, contentType, size, contentMd5, metadata: undefined },
    );
    const expiresIn = Math.floor((Date.parse(upload.expiresAt) - deps.clock().getTime()) / 1000);
    const details = { filename, size: size ?? null, file_path: upload.filePath };
    return {
      result: { ...upload, expiresIn },
      entry: { action: "file.upload_requested", projectId, details },
    };
  });
}
