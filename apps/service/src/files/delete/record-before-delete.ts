import { StowageError } from "@stowage/schemas";
import { and, eq, not } from "drizzle-orm";
import { files, tenants } from "#db/schema/index.js";
import { forEachBounded } from "#lib/for-each-bounded.js";
import type { Project } from "#projects/find-project.js";
import { type FileSelection, hasStatus, isSelected, isTenantOfFile } from "#files/record/file-conditions.js";
import { mayHaveArrived } from "#files/settle/find-arrived-file.js";
import { recordArrival, type SettleUploadDeps } from "#files/settle/settle-upload.js";

/** After this time the remaining files are deleted as they are recorded. */
const TIME_LIMIT_MS = 5000;
const MAX_CONCURRENT_CHECKS = 16;

/**
 * Records the files whose bytes have arrived and which are to be deleted, so that the usage and the history of a file do not
 * depend on whether the service had checked it before its delete. If storage is unavailable, the files are deleted as they are
 * recorded: a file that was not recorded is not counted either, so the counters are exact.
 *
 * @returns the paths of late uploads that do not fit the quota. They are marked as `deleting` now; remove their objects
 */
export async function recordBeforeDelete(
  deps: SettleUploadDeps,
  project: Project,
  selection: FileSelection,
): Promise<string[]> {
  const removing: string[] = [];
  const until = deps.clock().getTime() + TIME_LIMIT_MS;
  try {
    await forEachBounded(
      await readUnrecorded(deps, project, selection),
      MAX_CONCURRENT_CHECKS,
      async (file) => {
        if (deps.clock().getTime() >= until) return;
        if ((await recordArrival(deps, file)) === "removing") removing.push(file.path);
      },
    );
  } catch (error) {
    if (!(error instanceof StowageError && error.code === "unavailable")) throw error;
  }
  return removing;
}

async function readUnrecorded(
  deps: SettleUploadDeps,
  project: Project,
  selection: FileSelection,
): Promise<(typeof files.$inferSelect)[]> {
  const rows = await deps.db.run((db) =>
    db
      .select({ file: files })
      .from(files)
      .innerJoin(tenants, isTenantOfFile())
      .where(and(eq(files.projectId, project.id), isSelected(selection), not(hasStatus("stored")))),
  );
  const now = deps.clock();
  return rows.map(({ file }) => file).filter((file) => mayHaveArrived(file, now));
}
