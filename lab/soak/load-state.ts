import type { ProjectWithKey } from "@stowage/service/src/projects/create-project.js";
import { endVersions, isFree } from "./chains.js";
import type { Client } from "./client.js";
import type { Follower } from "./follow-events.js";
import { type Change, record, type Result, type SoakFile, statesAt } from "./ledger.js";
import type { Random } from "./random.js";

/** A share link, and what its visitors got. */
export interface SoakLink {
  id: string;
  file: SoakFile;
  maxDownloads: number;
  /** Visits that were redirected to the file. */
  used: number;
  /** Visits without an answer. */
  mayBeUsed: number;
  /** `unknown`: the call was not answered. */
  revoked: "no" | "yes" | "unknown";
}

export interface SoakProject extends ProjectWithKey {
  index: number;
  hasTrash: boolean;
  /** How many versions the service keeps of a file. */
  maxVersions: number;
  /** Whether it hands out only files that are scanned. It has a preset too. */
  isScanned: boolean;
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
  /** By {@link tenantKey}: how many uploads are being requested. A job for a folder waits for them. */
  opening: Map<string, number>;
  /** By {@link tenantKey}: those whose folders a job changes. */
  withFolderJob: Set<string>;
  /** Calls that may have made a row of this table. */
  mayHaveMade: Record<"folder_jobs" | "replacements" | "share_links" | "audit_log", number>;
  links: SoakLink[];
  followers: Follower[];
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
    if (!isFree(file) || !isWanted(file)) continue;
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
  if (change === "purge" && result !== "refused") endVersions(file);
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
  return states.size === 1 && states.has(wanted) && file.unsureUntil < now && !file.mayBeReplaced;
}

export const tenantKey = ({ project, tenant }: Pick<SoakFile, "project" | "tenant">) =>
  `${project}/${tenant}`;
