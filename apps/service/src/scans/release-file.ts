import { StowageError } from "@stowage/schemas";
import type { ReleaseInput } from "@stowage/operator-schemas";
import { and, eq, sql } from "drizzle-orm";
import type { ProjectCaller } from "#audit/caller.js";
import { auditedTransaction } from "#audit/write-audit.js";
import type { Queries } from "#db/client.js";
import { IS_IN_QUARANTINE } from "#db/schema/conditions.js";
import { files, tenants } from "#db/schema/index.js";
import { isFile, isTenantOfFile } from "#files/record/file-conditions.js";
import { recordVerdict } from "./record-verdict.js";

/**
 * Lets the bytes with an ETag be downloaded although the file is in quarantine, for example after a false alarm. If other bytes replace
 * them, the file is scanned again.
 *
 * @throws {StowageError} `file_not_found`, also for a file that is not in quarantine; `scan_outdated` if the file has other bytes by now;
 * `unavailable`
 */
export function releaseFile(
  deps: { db: Queries; clock: () => Date },
  caller: ProjectCaller,
  { fileId, etag }: ReleaseInput,
): Promise<void> {
  const { project } = caller;
  const id = { projectId: project.id, id: fileId };
  return auditedTransaction(deps, caller, async (deps, tx) => {
    const [file] = await tx
      .select({
        filename: files.filename,
        tenantId: tenants.tenantId,
        size: files.size,
        etag: files.etag,
        signature: files.scanSignature,
      })
      .from(files)
      .innerJoin(tenants, isTenantOfFile())
      .where(and(isFile(id), sql.raw(IS_IN_QUARANTINE), eq(files.status, "stored")))
      .for("update", { of: files });
    if (!file) throw new StowageError("file_not_found");
    const { etag: current, ...details } = file;
    if (current !== etag) throw new StowageError("scan_outdated");
    await recordVerdict(deps, id, { etag, verdict: "clean", signature: null });
    return {
      result: undefined,
      entry: { action: "file.quarantine_released", projectId: project.id, details },
    };
  });
}
