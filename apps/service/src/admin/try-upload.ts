import type { BrowserUploadRequest } from "@stowage/schemas";
import { tryItTenantId } from "@stowage/schemas/dashboard";
import { audited } from "#audit/audited.js";
import type { Caller } from "#audit/caller.js";
import type { Queries } from "#db/client.js";
import { createUnbatchedAdmit } from "#files/upload/admit-uploads.js";
import { requestUpload, type RequestedUpload, type RequestUploadDeps } from "#files/upload/request-upload.js";
import type { Project } from "#projects/find-project.js";

export type TryUploadDeps = Omit<RequestUploadDeps, "admit"> & { db: Queries };

export interface TriedUpload extends RequestedUpload {
  /** Seconds for which the URL is good: a browser's clock may be wrong by hours. */
  expiresIn: number;
}

/**
 * Opens an upload of an operator's own, into a tenant kept for that: by the rules that hold for customers, and without the
 * project's key, which nobody has but they. The audit log tells of the URL and not of the bytes, which may come by themselves.
 *
 * @throws {StowageError} `not_found`, `size_required`, `file_too_large`, `quota_exceeded`, `unavailable`
 */
export function tryUpload(
  deps: TryUploadDeps,
  by: Caller & { project: Project },
  { filename, contentType, size, contentMd5 }: BrowserUploadRequest,
): Promise<TriedUpload> {
  const projectId = by.project.id;
  return audited(deps, by, async (deps) => {
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
