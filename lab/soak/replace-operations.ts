import { setTimeout as sleep } from "node:timers/promises";
import type { ListVersionsResponse, UploadResponse } from "@stowage/schemas";
import { addVersion } from "./chains.js";
import { aContent, bytesOf } from "./contents.js";
import type { Result, SoakFile } from "./ledger.js";
import { isSurely, type LoadState, note, withFiles } from "./load-state.js";
import { complete, open, sendBytes } from "./upload-operations.js";

const TRIES = 4;
const PAUSE_MS = 500;
const CANCELLED_SHARE = 0.1;

const isReplaceable = (state: LoadState) => (file: SoakFile) =>
  isSurely(state, file, "stored") && file.isRecorded && !file.ends;

/** Uploads a file in the place of another one. Sometimes it cancels the upload, and then nothing is replaced. */
export function replaceOne(state: LoadState): Promise<boolean> {
  return withFiles(state, 1, isReplaceable(state), async ([old]) => {
    state.mayHaveMade.replacements++;
    const project = state.projects[old!.project]!;
    const wanted = { project, ...aContent(state.random, project) };
    const opened = await open<UploadResponse>(state, "upload", wanted, {}, old);
    if (!opened) return;
    const { file, answer } = opened;
    if (state.random.next() < CANCELLED_SHARE) {
      if ((await cancel(state, file)) === "unknown") old!.mayBeClaimed = true;
    } else {
      await sendBytes(state, file, () => state.client.put(answer, bytesOf(file)));
      let result: Result = "unknown";
      for (let tries = 1; result === "unknown" && tries <= TRIES; tries++) {
        if (tries > 1) await sleep(PAUSE_MS * tries);
        result = await complete(state, project, file);
      }
      const isSure = result === "done";
      note(state, old!, "delete", isSure ? "done" : "unknown");
      if (!isSure) old!.mayBeReplaced = old!.mayBeClaimed = true;
      if (project.maxVersions > 0) addVersion(old!, file, { isSure, maxVersions: project.maxVersions });
    }
    file.isBusy = false;
  });
}

async function cancel(state: LoadState, file: SoakFile): Promise<Result> {
  const { apiKey: key } = state.projects[file.project]!;
  const body = { file_path: file.path };
  const answer = await state.client.call({ name: "cancel", path: "cancel/", key, body });
  const result = answer === null ? "unknown" : answer.status === 200 ? "done" : "refused";
  note(state, file, "cancel", result);
  return result;
}

/** Lists the versions of a file, and sometimes restores the last one. */
export function useVersions(state: LoadState): Promise<boolean> {
  const isWanted = (file: SoakFile) =>
    isReplaceable(state)(file) &&
    file.chain?.file === file &&
    file.chain.isSure &&
    file.chain.versions.length > 0;
  return withFiles(state, 1, isWanted, async ([file]) => {
    const { client } = state;
    const { apiKey: key, maxVersions } = state.projects[file!.project]!;
    const { versions } = file!.chain!;
    const path = `versions/?file_path=${encodeURIComponent(file!.path)}`;
    const answer = await client.call<ListVersionsResponse>({ name: "versions", path, key });
    if (answer === null) return;
    if (answer.status !== 200) return state.onWrong(`versions: ${answer.status} of ${file!.path}`);
    const listed = answer.body.versions.map(({ file_path }) => file_path);
    const known = versions.map((version) => version.path);
    const sure = versions.filter((version) => isSurely(state, version, "trashed"));
    const missing = sure.filter((version) => !listed.includes(version.path));
    if (
      listed.length > maxVersions ||
      listed.some((version) => !known.includes(version)) ||
      missing.length > 0
    )
      state.onWrong(`versions ${listed.join()} instead of ${known.join()}: ${file!.path}`);
    if (sure.length > 0 && state.random.next() < 0.5) await restoreVersion(state, file!, sure[0]!);
  });
}

async function restoreVersion(state: LoadState, file: SoakFile, version: SoakFile): Promise<void> {
  const { apiKey: key } = state.projects[file.project]!;
  const body = { file_path: file.path, version: version.path };
  const answer = await state.client.call({ name: "restore version", path: "versions/restore/", key, body });
  const result = answer === null ? "unknown" : answer.status === 200 ? "done" : "refused";
  if (answer?.code === "file_being_replaced" && file.mayBeClaimed) return;
  if (result === "refused")
    return state.onWrong(`restore version: ${answer!.status} ${answer!.code} of ${file.path}`);
  const chain = file.chain!;
  note(state, file, "delete", result);
  note(state, version, "restore", result);
  if (result === "unknown") chain.isSure = false;
  else {
    chain.versions = [file, ...chain.versions.filter((other) => other !== version)];
    chain.file = version;
  }
}
