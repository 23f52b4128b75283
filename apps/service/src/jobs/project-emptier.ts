import { purgeDeletedProject, type PurgeDeletedProjectDeps } from "#projects/purge-deleted-project.js";
import { type Job, repeat } from "./repeat.js";

/** Takes the files of deleted projects away for as long as the service runs. */
export function startProjectEmptier(
  deps: PurgeDeletedProjectDeps & { onError: (error: unknown) => void },
  intervalMs: number,
): Job {
  return repeat(() => purgeDeletedProject(deps), intervalMs, deps.onError);
}
