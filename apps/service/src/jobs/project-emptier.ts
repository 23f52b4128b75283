import { emptyProjects, type EmptyProjectsDeps } from "#projects/empty-projects.js";
import { type Job, repeat } from "./repeat.js";

/** Takes the files of deleted projects away for as long as the service runs. */
export function startProjectEmptier(
  deps: EmptyProjectsDeps & { onError: (error: unknown) => void },
  intervalMs: number,
): Job {
  return repeat(() => emptyProjects(deps), intervalMs, deps.onError);
}
