import type { Cancel, Runtime } from "../runtime.js";
import type { FileCollection } from "./file-collection.js";
import { unfinishedPath } from "./file-state.js";
import type { UploadsOnDemand } from "./uploads-on-demand.js";

interface PageHideDeps {
  runtime: Pick<Runtime, "onPageHide">;
  files: Pick<FileCollection, "counts">;
  uploads: Pick<UploadsOnDemand, "loaded">;
}

/** Cancels unfinished uploads when the page is left, and lets the loaded code remember the names of files for the next page. */
export function createPageHideListener({ runtime, files, uploads }: PageHideDeps) {
  let stopListening: Cancel | null = null;

  // Passed, because a module that both share would be a chunk of its own in the first view.
  const leave = () => uploads.loaded()?.leave(unfinishedPath);

  return {
    /** Listens only while there is something to cancel, so that a store without files can be garbage-collected. */
    update() {
      uploads.loaded()?.saveNames();
      const { active, failed } = files.counts();
      const isNeeded = active + failed > 0 || uploads.loaded()?.cancellations.isRunning() === true;
      if (isNeeded === (stopListening !== null)) return;
      stopListening?.();
      stopListening = isNeeded ? runtime.onPageHide(leave) : null;
    },
  };
}
