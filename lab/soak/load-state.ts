import type { ProjectWithKey } from "@stowage/service/src/projects/create-project.js";
import type { Client } from "./client.js";
import { type Change, record, type Result, type SoakFile, statesAt } from "./ledger.js";
import type { Random } from "./random.js";

export interface SoakProject extends ProjectWithKey {
  index: number;
  hasTrash: boolean;
}

/** What the operations of the load share. */
export interface LoadState {
  client: Client;
  random: Random;
  projects: SoakProject[];
  /** By path: every file that the load knows. */
  files: Map<string, SoakFile>;
  /** Those that may still exist. */
  live: SoakFile[];
  /** When a file was acknowledged to be gone. */
  goneAt: Map<string, number>;
  /** Uploads whose answer never arrived: their rows have paths that the load does not know. */
  unknownUploads: number;
  /** Upload requests that named an Idempotency-Key, each try counted. */
  uploadRequests: number;
  now(): number;
  /** The largest difference between the clocks of two replicas. */
  clockSpreadMs: number;
  onWrong(problem: string): void;
}

/** Takes random files that no other operation uses, works on them and gives them back. */
export async function withFiles(
  state: LoadState,
  count: number,
  isWanted: (file: SoakFile) => boolean,
  work: (files: SoakFile[]) => Promise<void>,
): Promise<boolean> {
  const taken: SoakFile[] = [];
  for (let tries = 0; tries < 12 * count && taken.length < count && state.live.length > 0; tries++) {
    const file = state.random.pick(state.live);
    if (file.isBusy || !isWanted(file)) continue;
    file.isBusy = true;
    taken.push(file);
  }
  if (taken.length === 0) return false;
  try {
    await work(taken);
    return true;
  } finally {
    for (const file of taken) file.isBusy = false;
  }
}

/** Writes down the answer to a change of a file. */
export function note(state: LoadState, file: SoakFile, change: Change, result: Result): void {
  const { hasTrash } = state.projects[file.project]!;
  const problem = record(file, change, result, { hasTrash, now: state.now() });
  if (problem) state.onWrong(problem);
  const isGone = file.states.size === 1 && file.states.has("gone");
  if (!isGone || state.goneAt.has(file.path)) return;
  state.goneAt.set(file.path, state.now());
  const at = state.live.indexOf(file);
  if (at >= 0) state.live.splice(at, 1);
}

/** Whether the file is for certain in this state, and no unanswered call can change it any more. */
export function isSurely(state: LoadState, file: SoakFile, wanted: "open" | "stored" | "trashed"): boolean {
  const now = state.now();
  const states = statesAt(file, now, state.projects[file.project]!.hasTrash);
  return states.size === 1 && states.has(wanted) && file.unsureUntil < now;
}
