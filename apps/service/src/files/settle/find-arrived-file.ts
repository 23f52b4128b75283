import { fileStatusTraits } from "@stowage/operator-schemas";
import { StowageError } from "@stowage/schemas";
import type { Queries } from "#db/client.js";
import type { files } from "#db/schema/index.js";
import {
  type FileReference,
  type FileReferences,
  findFileAndTenant,
  findFiles,
  type FoundFile,
} from "#files/record/find-file.js";
import { forEachBounded } from "#lib/for-each-bounded.js";
import type { ObjectStore } from "#object-store/object-store.js";
import type { Project } from "#projects/find-project.js";
import { lastCheckAt } from "#files/record/check-schedule.js";
import { recordArrival, type SettleUploadDeps } from "./settle-upload.js";

export interface FindArrivedFileDeps {
  /** For reads. */
  db: Queries;
  store: Pick<ObjectStore, "published">;
  clock: () => Date;
  /** For the writes of a settle. They have other connections, so reads continue while writes have to wait. */
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
  try {
    return (await recordIfArrived(deps, found)) ? await findFileAndTenant(deps, project, reference) : found;
  } catch (error) {
    const isDown = error instanceof StowageError && error.code === "unavailable";
    if (isDown && ifStorageIsDown === "return recorded") return found;
    throw error;
  }
}

/** Limits the HEAD requests of one call. */
const MAX_CONCURRENT_CHECKS = 8;

/**
 * The same for many files, with one statement, and a second one if files had to be recorded. Files that are not found are left out.
 *
 * @returns the files by their paths
 * @throws {StowageError} `unavailable`
 */
export async function findArrivedFiles(
  deps: FindArrivedFileDeps,
  project: Project,
  { filePaths, tenantId }: FileReferences,
): Promise<Map<string, FoundFile>> {
  const found = await findFiles(deps, project, { filePaths, tenantId });
  const changed: string[] = [];
  await forEachBounded([...found.values()], MAX_CONCURRENT_CHECKS, async (one) => {
    if (await recordIfArrived(deps, one)) changed.push(one.file.path);
  });
  if (changed.length === 0) return found;
  const current = await findFiles(deps, project, { filePaths: changed, tenantId });
  for (const path of changed) found.delete(path);
  return new Map([...found, ...current]);
}

/** Returns whether the row may have changed, so that it must be read again. */
async function recordIfArrived(deps: FindArrivedFileDeps, { file }: FoundFile): Promise<boolean> {
  return mayHaveArrived(file, deps.clock()) && (await recordArrival(deps.settling, file)) !== "absent";
}

/** Whether storage may have an object that the service has not recorded: until no PUT to the file's URL can be running any more. */
export function mayHaveArrived(
  { status, urlExpiresAt }: Pick<typeof files.$inferSelect, "status" | "urlExpiresAt">,
  now: Date,
): boolean {
  return fileStatusTraits[status].mayArrive && (status === "pending" || now < lastCheckAt(urlExpiresAt));
}
