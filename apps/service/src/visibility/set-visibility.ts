import { setTimeout as sleepInRealTime } from "node:timers/promises";
import { StowageError, type Visibility, type VisibilityRequest } from "@stowage/schemas";
import { inTransaction } from "#db/client.js";
import { files } from "#db/schema/index.js";
import { isFile } from "#files/record/file-conditions.js";
import type { FileRecord } from "#files/record/file-record.js";
import { queueMoves } from "#files/record/file-tasks.js";
import { findFileAndTenant, toRecord } from "#files/record/find-file.js";
import { findArrivedFile, type FindArrivedFileDeps } from "#files/settle/find-arrived-file.js";
import { isTemporary } from "#lib/temporary-error.js";
import type { Project } from "#projects/find-project.js";
import { claimMoveOf, retryMoveLater } from "./claim-move.js";
import { moveClaimed } from "./move-file.js";
import type { MoveFileDeps } from "./publish.js";
import { requirePublishable } from "#files/record/require-publishable.js";

export interface SetVisibilityDeps extends FindArrivedFileDeps {
  settling: FindArrivedFileDeps["settling"] & MoveNowDeps;
  store: MoveFileDeps["store"];
}

export interface MoveNowDeps extends MoveFileDeps {
  /** @default the one of Node.js */
  sleep?: (ms: number) => Promise<unknown>;
}

/** How often the call looks whether another process has moved the file. */
const WAIT_MS = 200;
const MAX_WAITS = 25;

/**
 * Makes a file public or private, and moves its object. A file that becomes private is taken back before this resolves. A file that
 * becomes public may still be on its way: it is not stored or scanned yet, or storage does not answer.
 *
 * @throws {StowageError} `file_not_found`; `invalid_request` for a file that cannot be public; `unavailable`, also if the file cannot be
 * taken back now: the service continues until it is
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
  if (file.visibility !== visibility)
    await inTransaction(deps.settling.db, (db) =>
      recordVisibility({ ...deps.settling, db }, file, visibility),
    );
  await moveNow(deps.settling, file, visibility);
  return toRecord(await findFileAndTenant({ db: deps.settling.db }, project, reference), deps.store);
}

type FileId = Pick<typeof files.$inferSelect, "projectId" | "id">;

/** From now on the file has to be moved. Call it in a transaction. */
export async function recordVisibility(
  { db, clock }: Pick<MoveNowDeps, "db" | "clock">,
  file: FileId,
  visibility: Visibility,
): Promise<void> {
  await db.execute(RECORD_VISIBILITY, [file.projectId, file.id, visibility]);
  await queueMoves(db, file.projectId, [file.id], clock());
}

const RECORD_VISIBILITY = `
update files set visibility = $3::file_visibility, revision = revision + 1 where project_id = $1::bigint and id = $2::bigint`;

/**
 * Moves the object of a file whose visibility was recorded, or waits for the process that does. A file that becomes public may still be on
 * its way afterwards.
 *
 * @throws {StowageError} `unavailable` if a file cannot be taken back now: the service continues until it is
 */
export async function moveNow(deps: MoveNowDeps, file: FileId, visibility: Visibility): Promise<void> {
  const { sleep = sleepInRealTime } = deps;
  for (let waits = 0; waits < MAX_WAITS; waits++) {
    const claim = await claimMoveOf(deps, file);
    if (claim) {
      try {
        await moveClaimed(deps, claim);
      } catch (error) {
        // The job continues soon, also if this call cannot wait for it.
        await retryMoveLater(deps, claim);
        if (visibility === "public" && isTemporary(error)) return;
        throw asUnavailable(error);
      }
    }
    if (visibility === "public" || (await isTakenBack(deps, file))) return;
    await sleep(WAIT_MS);
  }
  throw new StowageError("unavailable", {
    detail: "The file is being made private",
    retryAfterSeconds: 1,
    cause: new Error("another process moves the file, or a copy may still land in the public bucket"),
  });
}

/** A move also fails because another call changes the file meanwhile, such as a replay of its upload URL. That is no fault of this call. */
function asUnavailable(error: unknown): StowageError {
  if (error instanceof StowageError) return error;
  return new StowageError("unavailable", {
    detail: "The file could not be moved now",
    retryAfterSeconds: 1,
    cause: error,
  });
}

/** Also true if the file is gone, or another call has made it public again meanwhile. */
async function isTakenBack({ db }: MoveFileDeps, file: FileId): Promise<boolean> {
  const [row] = await db.run((db) =>
    db
      .select({ place: files.place, hasOtherCopy: files.hasOtherCopy, visibility: files.visibility })
      .from(files)
      .where(isFile(file)),
  );
  return !row || row.visibility === "public" || (row.place === "private" && !row.hasOtherCopy);
}
