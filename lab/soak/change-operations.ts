import type { DeleteResponse } from "@stowage/schemas";
import { leaveChain } from "./chains.js";
import type { Result, SoakFile } from "./ledger.js";
import { isSurely, type LoadState, note, withFiles } from "./load-state.js";

const BATCH = 8;

type Wanted = "delete" | "purge" | "restore" | "cancel";

const isFit = (state: LoadState, change: Wanted) => (file: SoakFile) => {
  if (change === "cancel") return isSurely(state, file, "open");
  if (change === "restore") return isSurely(state, file, "trashed");
  // A file whose state is not known is purged in the end.
  if (change === "purge") return file.unsureUntil < state.now();
  return isSurely(state, file, "stored");
};

const pathOf = (change: Wanted) => (change === "purge" ? "delete/" : `${change}/`);
const optionsOf = (change: Wanted) => (change === "purge" ? { purge: true } : {});

export function changeOne(state: LoadState, change: Wanted): Promise<boolean> {
  return withFiles(state, 1, isFit(state, change), async ([file]) => {
    const answer = await state.client.call({
      name: change,
      path: pathOf(change),
      key: state.projects[file!.project]!.apiKey,
      body: { file_path: file!.path, ...optionsOf(change) },
    });
    noteChange(state, file!, change, answer && answer.status === 200);
  });
}

/** Several files of one project in one call. */
export function changeMany(state: LoadState, change: "delete" | "purge" | "restore"): Promise<boolean> {
  const project = state.random.pick(state.projects);
  const isWanted = isFit(state, change);
  return withFiles(
    state,
    BATCH,
    (file) => file.project === project.index && isWanted(file),
    async (files) => {
      const answer = await state.client.call<DeleteResponse & { restored?: string[] }>({
        name: `${change} many`,
        path: pathOf(change),
        key: project.apiKey,
        body: { file_paths: files.map(({ path }) => path), ...optionsOf(change) },
      });
      const done = new Set(answer?.body.deleted ?? answer?.body.restored);
      const refused = new Set(answer?.body.not_found);
      for (const file of files) {
        if (answer && !done.has(file.path) && !refused.has(file.path))
          state.onWrong(`${change} many left ${file.path} out`);
        noteChange(state, file, change, answer && done.has(file.path));
      }
    },
  );
}

/** @param isDone null: there was no answer */
function noteChange(state: LoadState, file: SoakFile, change: Wanted, isDone: boolean | null): void {
  const result: Result = isDone === null ? "unknown" : isDone ? "done" : "refused";
  note(state, file, change, result);
  if (change !== "restore") return;
  if (result === "done") leaveChain(file);
  else if (file.chain) file.chain.isSure = false;
}
