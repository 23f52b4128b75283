import type { Cancel, Runtime } from "../runtime.js";
import type { FileCollection } from "./file-collection.js";
import { unfinishedPath } from "./file-state.js";
import type { UploadsOnDemand } from "./uploads-on-demand.js";

interface PageHideDeps {
  runtime: Pick<Runtime, "onPageHide">;
  files: Pick<FileCollection, "all" | "counts">;
  uploads: Pick<UploadsOnDemand, "loaded">;
  /** Whether another page can continue uploads by parts. */
  canContinue(): boolean;
}

/**
 * Cancels unfinished uploads on the server when the page is left, so that they do not hold quota until their URLs expire. An
 * upload by parts stays, because the next page can continue it.
 */
export function createPageHideListener({ runtime, files, uploads, canContinue }: PageHideDeps) {
  let stopListening: Cancel | null = null;

  const cancelUnfinished = () =>
    uploads
      .loaded()
      ?.cancellations.sendAll(
        Array.from(files.all()).flatMap((file) =>
          file.resume.multipart && canContinue() ? [] : (unfinishedPath(file) ?? []),
        ),
      );

  return {
    /** Listens only while there is something to cancel, so that a store without files can be garbage-collected. */
    update() {
      const { active, failed } = files.counts();
      const isNeeded = active + failed > 0 || uploads.loaded()?.cancellations.isRunning() === true;
      if (isNeeded === (stopListening !== null)) return;
      stopListening?.();
      stopListening = isNeeded ? runtime.onPageHide(cancelUnfinished) : null;
    },
  };
}
