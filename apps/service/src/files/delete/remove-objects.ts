import { StowageError } from "@stowage/schemas";
import { forEachBounded } from "#lib/for-each-bounded.js";
import type { Project } from "#projects/find-project.js";
import { removeObject, type RemoveObjectDeps } from "./remove-object.js";

/** After that much of the sweeper's pause the caller has waited long enough, and the sweeper does the rest. */
const ANSWER_WITHIN_MS = 10_000;
const CONCURRENT_REMOVALS = 16;

/**
 * Takes away the objects of files that were just marked as deleting. Where that fails the sweeper goes on, so a file is never
 * half deleted, and the caller never has to know.
 */
export async function removeObjects(
  deps: RemoveObjectDeps,
  project: Project,
  paths: Iterable<string>,
): Promise<void> {
  const until = deps.clock().getTime() + ANSWER_WITHIN_MS;
  try {
    await forEachBounded(paths, CONCURRENT_REMOVALS, async (path) => {
      if (deps.clock().getTime() < until) await removeObject(deps, project.id, path);
    });
  } catch (error) {
    // The rows say what is left to do.
    if (!(error instanceof StowageError && error.code === "unavailable")) throw error;
  }
}
