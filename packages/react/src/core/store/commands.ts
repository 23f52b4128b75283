import { canRetry, isActive, isEnded } from "../upload-item.js";
import type { RemoveOptions, UploadCommands, UploadSettings } from "../upload-settings.js";
import type { Admission } from "./admission.js";
import type { Deletions } from "./deletions.js";
import type { FileCollection } from "./file-collection.js";
import type { FileState } from "./file-state.js";
import type { Scheduler } from "./scheduler.js";

interface CommandDeps {
  files: FileCollection;
  admission: Admission;
  scheduler: Pick<Scheduler, "enqueue" | "stop">;
  deletions: Deletions;
  settings(): Pick<UploadSettings, "autoStart" | "deleteOnRemove">;
  /** Called when files were added, before `onCommand`. */
  onAdded(): void;
  /** Called after each command. */
  onCommand(): void;
}

/** What a person can do with the list. Each command changes the files, and is shown immediately. */
export function createCommands(deps: CommandDeps): UploadCommands {
  const { files, admission, scheduler, deletions, settings, onAdded, onCommand } = deps;

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

  function cancel({ item }: FileState) {
    if (!isActive(item)) return;
    scheduler.stop(item.id);
    files.dispatch(item.id, { type: "cancelled" });
  }

  function retry({ item }: FileState) {
    if (!canRetry(item)) return;
    admission.readmit(item.id);
    scheduler.enqueue(item.id);
  }

  function retryFailed(file: FileState) {
    if (file.item.status === "failed") retry(file);
  }

  function remove(file: FileState, options: RemoveOptions = {}) {
    const { item, resume } = file;
    if (item.status === "deleting") return;
    cancel(file);
    const isDeleting = options.delete ?? settings().deleteOnRemove;
    if (isDeleting && resume.sentPath !== undefined) deletions.add(item.id, resume.sentPath);
    else files.remove(item.id);
  }

  function clear({ item }: FileState) {
    if (isEnded(item)) files.unlist(item.id);
  }

  return {
    add(chosen) {
      const ids = admission.add([...chosen]);
      if (settings().autoStart !== false) for (const id of ids) scheduler.enqueue(id);
      onAdded();
      onCommand();
    },
    start: () => forAll(start),
    cancel: (id) => forOne(id, cancel),
    cancelAll: () => forAll(cancel),
    retry: (id) => forOne(id, retry),
    retryAll: () => forAll(retryFailed),
    remove: (id, options) => forOne(id, (file) => remove(file, options)),
    removeAll: (options) => forAll((file) => remove(file, options)),
    clear: () => forAll(clear),
    reset() {
      deletions.abort();
      files.startSession();
      forAll(({ item }) => {
        scheduler.stop(item.id);
        files.remove(item.id);
      });
    },
  };
}
