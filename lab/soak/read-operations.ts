import type { DownloadResponse, ListFilesResponse } from "@stowage/schemas";
import { isRight } from "./contents.js";
import { observe, type SoakFile, statesAt } from "./ledger.js";
import { type LoadState, withFiles } from "./load-state.js";

/** A URL ends with its file. */
const URL_MARGIN_MS = 10_000;

export function downloadOne(state: LoadState): Promise<boolean> {
  const isWanted = ({ states, ends, mayBeReplaced }: SoakFile) =>
    !states.has("open") && !mayBeReplaced && (!ends || state.now() < ends.from - URL_MARGIN_MS);
  return withFiles(state, 1, isWanted, ([file]) => download(state, file!));
}

/** Downloads a file and compares every byte. */
export async function download(state: LoadState, file: SoakFile): Promise<void> {
  const project = state.projects[file.project]!;
  const answer = await state.client.call<DownloadResponse>({
    name: "download",
    path: "download/",
    key: project.apiKey,
    body: { file_path: file.path },
  });
  if (answer === null) return;
  // A call without an answer may still change the file.
  const isKnown = file.unsureUntil < state.now();
  const isVirus = project.isScanned && file.kind === "virus";
  if (answer.code === "file_not_scanned" && project.isScanned) return;
  if (answer.code === "file_quarantined" && isVirus) return;
  if (answer.status === 200 && isVirus) state.onWrong(`a virus was handed out: ${file.path}`);
  if (answer.status !== 200) {
    const possible = statesAt(file, state.now(), project.hasTrash);
    // No call has joined the parts: the sweeper does it.
    const mayWait = file.isByParts && !file.isRecorded;
    if (isKnown && !mayWait && possible.size === 1 && possible.has("stored"))
      state.onWrong(`lost: ${answer.status} ${answer.code} for ${file.path}`);
    return;
  }
  if (isKnown) {
    const problem = observe(file, "stored", { hasTrash: project.hasTrash, now: state.now() });
    if (problem) return state.onWrong(problem);
  }
  const object = await state.client.get(answer.body.presigned_url);
  if (object === null || object.status >= 500 || !isKnown) return;
  if (object.status !== 200 || !isRight(file, object.bytes))
    state.onWrong(
      `wrong bytes: ${object.status}, ${object.bytes.length} of ${file.sizeBytes} bytes of ${file.path}`,
    );
}

/** Lists files, or reads the usage of a tenant. */
export async function browse(state: LoadState): Promise<boolean> {
  const project = state.random.pick(state.projects);
  const tenant = `tenant_id=t${state.random.below(8)}`;
  if (state.random.next() < 0.3) {
    await state.client.call({ name: "usage", path: `usage/?${tenant}`, key: project.apiKey });
    return true;
  }
  const askedAt = state.now();
  const status = state.random.pick(["", "&status=stored", "&status=trashed"]);
  const answer = await state.client.call<ListFilesResponse>({
    name: "list",
    path: `files/?${tenant}&limit=50${status}`,
    key: project.apiKey,
  });
  if (answer?.status !== 200) return true;
  for (const { file_path } of answer.body.files) {
    if ((state.goneAt.get(file_path) ?? Infinity) < askedAt)
      state.onWrong(`listed after its deletion: ${file_path}`);
    if (!file_path.startsWith(`projects/${project.ref}/`))
      state.onWrong(`listed in another project: ${file_path}`);
  }
  return true;
}
