import { type FileSource, filesOf } from "../file-source.js";
import { canPause, canRetry, isActive, isEnded } from "../upload-item.js";
import type { RemoveOptions, UploadCommands, UploadSettings } from "../upload-settings.js";
import type { Admission } from "./admission.js";
import type { FileCollection } from "./file-collection.js";
import { type FileState, unfinishedPath } from "./file-state.js";
import type { Resumables } from "./resumables.js";
import type { Scheduler } from "./scheduler.js";
import type { UploadsOnDemand } from "./uploads-on-demand.js";

interface CommandDeps {
  files: FileCollection;
  admission: Admission;
  scheduler: Pick<Scheduler, "enqueue" | "stop" | "has">;
  uploads: Pick<UploadsOnDemand, "loaded" | "isSystemFile" | "preload">;
  resumables: Pick<Resumables, "fileFor" | "discard" | "clear">;
  settings(): Pick<UploadSettings, "autoStart" | "deleteOnRemove">;
  /** Called with the system files of each `add`. */
  onLeftOut(files: readonly File[]): void;
  /** Called when the total progress may fall, because files were added or start again from 0. Called before `onCommand`. */
  onRestart(): void;
  /** Called after each command. */
  onCommand(): void;
}

/** What a person can do with the list. Each command changes the files, and is shown immediately. */
export function createCommands(deps: CommandDeps): UploadCommands {
  const { files, admission, scheduler, uploads, resumables, settings, onLeftOut, onRestart, onCommand } =
    deps;
  /** How often the list was emptied. */
  let generation = 0;

  const forOne = (id: string, act: (file: FileState) => void) => {
    const file = files.get(id);
    if (file) act(file);
    onCommand();
  };
  const forAll = (act: (file: FileState) => void) => {
    for (const file of files.all()) act(file);
    onCommand();
  };

  function start({ item }: FileState) {
    scheduler.enqueue(item.id);
  }

  function cancel(file: FileState) {
    const { item } = file;
    if (!isActive(item)) return;
    scheduler.stop(item.id);
    giveUp(file);
    files.dispatch(item.id, { type: "cancelled" });
  }

  /** Cancels the upload on the server. */
  function giveUp(file: FileState) {
    const path = unfinishedPath(file);
    if (path !== undefined) uploads.loaded()?.cancellations.add(path);
  }

  function pause({ item }: FileState) {
    // A file that waits for `start()` is not on its way.
    if (!canPause(item) || !scheduler.has(item.id)) return;
    scheduler.stop(item.id);
    files.dispatch(item.id, { type: "paused" });
    onRestart();
  }

  function resume({ item }: FileState) {
    if (item.status !== "paused") return;
    files.dispatch(item.id, { type: "resumed" });
    scheduler.enqueue(item.id);
  }

  function retry({ item }: FileState) {
    if (!canRetry(item)) return;
    admission.readmit(item.id);
    scheduler.enqueue(item.id);
  }

  function discardUnfinished(file: FileState) {
    if (!canRetry(file.item)) return;
    files.dispatch(file.item.id, { type: "discard-requested" });
    retry(file);
  }

  function retryFailed(file: FileState) {
    if (file.item.status === "failed") retry(file);
  }

  function remove(file: FileState, options: RemoveOptions = {}) {
    const { item, resume } = file;
    if (item.status === "deleting") return;
    if (isActive(item)) cancel(file);
    else giveUp(file);
    const isDeleting = options.delete ?? settings().deleteOnRemove;
    if (isDeleting && resume.sentPath !== undefined)
      uploads.loaded()?.deletions.add(item.id, resume.sentPath);
    else files.remove(item.id);
  }

  function clear(file: FileState) {
    const { item } = file;
    if (!isEnded(item)) return;
    giveUp(file);
    files.unlist(item.id);
  }

  /** A file that may be one of the system waits for the code that can tell, so that it never takes the place of another file. */
  async function add(chosen: File[], isStarting: boolean) {
    const isUnclear = (file: File) => uploads.isSystemFile(file) === undefined;
    const unclear = chosen.filter(isUnclear);
    take(
      chosen.filter((file) => !isUnclear(file)),
      isStarting,
    );
    if (unclear.length === 0) return;
    const askedFor = generation;
    await uploads.preload();
    if (askedFor === generation) take(unclear, isStarting);
  }

  function take(chosen: File[], isStarting: boolean) {
    onLeftOut(chosen.filter(uploads.isSystemFile));
    const ids = admission.add(chosen.filter((file) => !uploads.isSystemFile(file)));
    if (isStarting) for (const id of ids) scheduler.enqueue(id);
    onRestart();
    onCommand();
  }

  async function continueUpload(path: string, chosen: File | FileSource | undefined) {
    const reading = resumables.fileFor(path, chosen);
    onCommand();
    const file = await reading;
    if (file) take([file], true);
  }

  return {
    add: (chosen) => void add(filesOf(chosen), settings().autoStart !== false),
    continueUpload: (path, chosen) => void continueUpload(path, chosen),
    discardResumable(path) {
      resumables.discard(path);
      onCommand();
    },
    start: () => forAll(start),
    cancel: (id) => forOne(id, cancel),
    cancelAll: () => forAll(cancel),
    pause: (id) => forOne(id, pause),
    pauseAll: () => forAll(pause),
    resume: (id) => forOne(id, resume),
    resumeAll: () => forAll(resume),
    retry: (id) => forOne(id, retry),
    discardUnfinished: (id) => forOne(id, discardUnfinished),
    retryAll: () => forAll(retryFailed),
    remove: (id, options) => forOne(id, (file) => remove(file, options)),
    removeAll: (options) => forAll((file) => remove(file, options)),
    clear: () => forAll(clear),
    reset() {
      generation++;
      onLeftOut([]);
      uploads.loaded()?.deletions.abort();
      files.startSession();
      for (const file of files.all()) {
        const { id } = file.item;
        scheduler.stop(id);
        giveUp(file);
        files.remove(id);
      }
      resumables.clear();
      onCommand();
    },
  };
}
