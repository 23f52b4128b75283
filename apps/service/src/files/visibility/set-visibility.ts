import { setTimeout as sleep } from "node:timers/promises";
import { StowageError, type VisibilityRequest } from "@stowage/schemas";
import { sql } from "drizzle-orm";
import { files } from "#db/schema/index.js";
import { isFile } from "#files/file-conditions.js";
import type { FileRecord } from "#files/file-record.js";
import { findFileAndTenant, toRecord } from "#files/find-file.js";
import { findArrivedFile, type FindArrivedFileDeps } from "#files/settle/find-arrived-file.js";
import { isTemporary } from "#lib/temporary-error.js";
import type { Project } from "#projects/find-project.js";
import { claimMoveOf, retryMoveLater } from "./claim-move.js";
import { moveClaimed } from "./move-file.js";
import type { MoveFileDeps } from "./publish.js";
import { requirePublishable } from "./require-publishable.js";

export interface SetVisibilityDeps extends FindArrivedFileDeps {
  settling: FindArrivedFileDeps["settling"] & MoveFileDeps;
  store: MoveFileDeps["store"];
}

/** How often the call looks whether another process has moved the file. */
const WAIT_MS = 200;
const MAX_WAITS = 25;

/**
 * Makes a file public or private, and moves its object. A file that becomes private is taken back before this resolves. A file that
 * becomes public may still be on its way: it is not stored or scanned yet, or storage does not answer.
 *
 * @throws {StowageError} `file_not_found`; `invalid_request` for a file that cannot be public; `unavailable`, also if the file cannot be
 * taken back now: the service goes on until it is
 */
export async function setVisibility(
  deps: SetVisibilityDeps,
  project: Project,
  { filePath, tenantId, visibility }: VisibilityRequest,
): Promise<FileRecord> {
  const reference = { filePath, tenantId };
  const { file } = await findArrivedFile(deps, project, reference, { ifStorageIsDown: "return recorded" });
  requirePublishable(deps.store, {
    visibility,
    contentType: file.contentType,
    size: file.size ?? file.declaredSize,
  });
  if (file.visibility !== visibility) await record(deps, file, visibility);
  const isRequired = visibility === "private";
  for (let waits = 0; waits < MAX_WAITS; waits++) {
    const claim = await claimMoveOf(deps.settling, file);
    if (claim) {
      try {
        await moveClaimed(deps.settling, claim);
      } catch (error) {
        // The job goes on soon, also if this call cannot wait for it.
        await retryMoveLater(deps.settling, claim);
        if (isRequired || !isTemporary(error)) throw error;
        break;
      }
    }
    const found = await findFileAndTenant({ db: deps.settling.db }, project, reference);
    const isMoved = found.file.place === visibility && !found.file.hasOtherCopy;
    // Another call may have decided otherwise meanwhile.
    const isCurrent = found.file.visibility === visibility;
    if (isMoved || !isRequired || !isCurrent) return toRecord(found, deps.store);
    await sleep(WAIT_MS);
  }
  if (isRequired)
    throw new StowageError("unavailable", {
      detail: "The file is being made private",
      retryAfterSeconds: 1,
      cause: new Error("another process moves the file"),
    });
  return toRecord(await findFileAndTenant({ db: deps.settling.db }, project, reference), deps.store);
}

async function record(
  { settling }: SetVisibilityDeps,
  file: typeof files.$inferSelect,
  visibility: VisibilityRequest["visibility"],
): Promise<void> {
  await settling.db.run((db) =>
    db
      .update(files)
      .set({ visibility, moveFailures: 0, revision: sql`${files.revision} + 1` })
      .where(isFile(file)),
  );
}
