import { StowageError } from "@stowage/schemas";
import type { VisibilityInput } from "@stowage/operator-schemas";
import { and, notInArray } from "drizzle-orm";
import type { ProjectActor } from "#audit/caller.js";
import { auditedTransaction } from "#audit/write-audit.js";
import { files, tenants } from "#db/schema/index.js";
import { isFile, isTenantOfFile } from "#files/record/file-conditions.js";
import type { MoveFileDeps } from "./publish.js";
import { requirePublishable } from "#files/record/require-publishable.js";
import { moveNow, recordVisibility } from "./set-visibility.js";
import { fileEntry } from "#files/delete/delete-selection.js";
import { statusesThat } from "#db/schema/file-statuses.js";

/**
 * Makes a file public or private for an operator, as {@link setVisibility} does for a customer. The decision and its audit entry are one
 * transaction; the object is moved after it.
 *
 * @throws {StowageError} `file_not_found`, also for a file in the trash; `invalid_request` for a file that cannot be public; `unavailable`,
 * also if the file cannot be taken back now: the service continues until it is
 */
export async function changeVisibility(
  deps: MoveFileDeps,
  actor: ProjectActor,
  { fileId, visibility }: VisibilityInput,
): Promise<void> {
  const { project } = actor;
  const file = { projectId: project.id, id: fileId };
  await auditedTransaction(deps, actor, async ({ db }, tx) => {
    const [found] = await tx
      .select({
        filename: files.filename,
        tenantId: tenants.tenantId,
        path: files.path,
        size: files.size,
        declaredSize: files.declaredSize,
        contentType: files.contentType,
        visibility: files.visibility,
      })
      .from(files)
      .innerJoin(tenants, isTenantOfFile())
      .where(and(isFile(file), notInArray(files.status, statusesThat("isHidden"))))
      .for("update", { of: files });
    if (!found) throw new StowageError("file_not_found");
    const { contentType, size, declaredSize } = found;
    requirePublishable(deps.store, { visibility, contentType, size: size ?? declaredSize });
    if (found.visibility === visibility) return { result: undefined, entry: null };
    await recordVisibility({ ...deps, db }, file, visibility);
    const action = visibility === "public" ? "file.made_public" : "file.made_private";
    return { result: undefined, entry: fileEntry(action, project, found) };
  });
  await moveNow(deps, file, visibility);
}
