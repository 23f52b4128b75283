import { setTimeout as sleep } from "node:timers/promises";
import type { Job, StartedJob } from "@stowage/schemas";
import { isFree } from "./chains.js";
import type { Answer } from "./client.js";
import { recordMove, recordUpdate, type SoakFile, statesAt } from "./ledger.js";
import { isSurely, type LoadState, note, tenantKey, withFiles } from "./load-state.js";

export const FOLDERS = ["", "inbox", "inbox/new", "done", "done/new"] as const;
const TOPS = ["inbox", "done"] as const;

const START_TRIES = 4;
const PAUSE_MS = 500;
/** Its process may die, and the lease ends by another clock. */
const JOB_LIMIT_MS = 120_000;

/** Moves one file, or changes its metadata, or both. */
export function updateOne(state: LoadState): Promise<boolean> {
  const { random } = state;
  return withFiles(
    state,
    1,
    (file) => isSurely(state, file, "stored"),
    async ([taken]) => {
      const file = taken!;
      const canMove = !state.withFolderJob.has(tenantKey(file));
      const change = {
        ...(canMove && { folder: random.pick(FOLDERS) }),
        // Another value than before, so that it is always a change.
        note: `${state.now()}-${random.below(1000)}`,
      };
      const { note: value, ...place } = change;
      const answer = await state.client.call({
        name: "update",
        path: "update/",
        key: state.projects[file.project]!.apiKey,
        body: { file_path: file.path, metadata: { note: value }, ...place },
      });
      const result = answer === null ? "unknown" : answer.status === 200 ? "done" : "refused";
      const problem = recordUpdate(file, change, result, state.now());
      if (problem) state.onWrong(problem);
    },
  );
}

/** Moves a folder of a tenant to another name, or deletes it, and waits for the job. */
export async function changeFolder(state: LoadState, kind: "move" | "delete"): Promise<boolean> {
  const { random, live } = state;
  if (live.length === 0) return false;
  const { project, tenant } = random.pick(live);
  const key = tenantKey({ project, tenant });
  const from = random.pick(TOPS);
  const to = kind === "move" ? TOPS.find((top) => top !== from)! : null;
  const isInside = ({ folders }: SoakFile) => [...folders].some((folder) => isBelow(folder, from));
  const files = live.filter((file) => tenantKey(file) === key && isInside(file));
  const isOpening = (state.opening.get(key) ?? 0) > 0;
  if (files.length === 0 || isOpening || state.withFolderJob.has(key) || !files.every(isFree)) return false;
  state.withFolderJob.add(key);
  for (const file of files) file.isBusy = true;
  try {
    const job = await runJob(state, project, {
      tenant_id: tenant,
      ...(to ? { from, to } : { folder: from }),
    });
    const surely = files.filter((file) => file.folders.size === 1 && isSurely(state, file, "stored"));
    // An earlier request without an answer may have started a job that did them.
    if (job?.isFirst && job.done + job.kept < surely.length)
      state.onWrong(`a job for ${from} of ${key} did ${job.done} of ${surely.length} files`);
    for (const file of files)
      if (to) recordMove(file, { from, to }, { isDone: job !== null, now: state.now() });
      else noteDelete(state, file, job !== null);
    if (job) state.withFolderJob.delete(key);
  } finally {
    for (const file of files) file.isBusy = false;
  }
  return true;
}

/** A file that is in the trash already stays there, and one that may be in another folder too. */
function noteDelete(state: LoadState, file: SoakFile, isDone: boolean): void {
  const { hasTrash } = state.projects[file.project]!;
  const states = statesAt(file, state.now(), hasTrash);
  if ([...states].every((one) => one === "trashed" || one === "gone")) return;
  const isSure = isDone && states.size === 1 && file.folders.size === 1 && file.unsureUntil < state.now();
  note(state, file, "delete", isSure && !file.mayBeReplaced ? "done" : "unknown");
}

/** @returns null if it is not known what became of the job; with `isFirst` if there was no other one */
async function runJob(
  state: LoadState,
  project: number,
  body: object,
): Promise<(Job & { isFirst: boolean }) | null> {
  const { client } = state;
  const key = state.projects[project]!.apiKey;
  const kind = "to" in body ? "move" : "delete";
  let started: Answer<StartedJob> | null = null;
  let tries = 0;
  while (!started && tries++ < START_TRIES) {
    state.mayHaveMade.folder_jobs++;
    started = await client.call<StartedJob>({
      name: `${kind} folder`,
      path: `folders/${kind}/`,
      key,
      body,
    });
    if (!started) await sleep(PAUSE_MS * tries);
  }
  if (!started) return null;
  if (started.status !== 200) {
    state.onWrong(`${kind} folder: ${started.status} ${started.code}`);
    return null;
  }
  const until = state.now() + state.clockSpreadMs + JOB_LIMIT_MS;
  while (state.now() < until) {
    const path = `jobs/?job_id=${started.body.job_id}`;
    const answer = await client.call<Job>({ name: "job", path, key });
    if (answer && answer.status !== 200) state.onWrong(`job: ${answer.status} ${answer.code}`);
    if (answer?.body.state === "done") return { ...answer.body, isFirst: tries === 1 };
    await sleep(PAUSE_MS);
  }
  state.onWrong(`a job to ${kind} a folder did not end`);
  return null;
}

const isBelow = (folder: string, from: string) => `${folder}/`.startsWith(`${from}/`);
