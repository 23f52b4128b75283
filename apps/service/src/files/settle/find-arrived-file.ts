import { StowageError } from "@stowage/schemas";
import type { Queries } from "#db/client.js";
import type { files } from "#db/schema/index.js";
import { type FileReference, findFileAndTenant, type FoundFile } from "#files/find-file.js";
import type { Project } from "#projects/find-project.js";
import { lastCheckAt } from "./check-schedule.js";
import { recordArrival, type SettleUploadDeps } from "./settle-upload.js";

export interface FindArrivedFileDeps {
  /** For reads. */
  db: Queries;
  clock: () => Date;
  /** For the writes of a settle. They have other connections, so reads go on while writes have to wait. */
  settling: SettleUploadDeps;
}

/**
 * Finds one file, and records it first if its bytes have arrived. So a file can be used as soon as storage has answered its PUT,
 * without a completion call. Asks storage only about a file that {@link mayHaveArrived}, with one HEAD request.
 *
 * @param options.ifStorageIsDown what to do with a file that storage must be asked about: throw, or return it as it was recorded
 * @throws {StowageError} `file_not_found`, also for a file whose bytes arrived after it had expired and do not fit the quota;
 * `unavailable`
 */
export async function findArrivedFile(
  deps: FindArrivedFileDeps,
  project: Project,
  reference: FileReference,
  { ifStorageIsDown }: { ifStorageIsDown: "throw" | "return recorded" },
): Promise<FoundFile> {
  const found = await findFileAndTenant(deps, project, reference);
  if (!mayHaveArrived(found.file, deps.clock())) return found;
  try {
    const outcome = await recordArrival(deps.settling, found.file);
    return outcome === "absent" ? found : await findFileAndTenant(deps, project, reference);
  } catch (error) {
    const isDown = error instanceof StowageError && error.code === "unavailable";
    if (isDown && ifStorageIsDown === "return recorded") return found;
    throw error;
  }
}

/** Whether storage may have an object that the service has not recorded: until no PUT to the file's URL can be running any more. */
export function mayHaveArrived(
  { status, urlExpiresAt }: Pick<typeof files.$inferSelect, "status" | "urlExpiresAt">,
  now: Date,
): boolean {
  return status === "pending" || (status === "expired" && now < lastCheckAt(urlExpiresAt));
}
