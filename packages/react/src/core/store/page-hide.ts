import type { Cancel, Runtime } from "../runtime.js";
import type { Cancellations } from "./cancellations.js";
import type { FileCollection } from "./file-collection.js";
import { unfinishedPath } from "./file-state.js";

interface PageHideDeps {
  runtime: Pick<Runtime, "onPageHide">;
  files: Pick<FileCollection, "all" | "counts">;
  cancellations: Pick<Cancellations, "isRunning" | "sendAll">;
}

/** Cancels unfinished uploads on the server when the page is left, so that they do not hold quota until their URLs expire. */
export function createPageHideListener({ runtime, files, cancellations }: PageHideDeps) {
  let stopListening: Cancel | null = null;

  const cancelUnfinished = () =>
    cancellations.sendAll([...files.all()].flatMap((file) => unfinishedPath(file) ?? []));

  return {
    /** Listens only while there is something to cancel, so that a store without files can be garbage-collected. */
    update() {
      const { active, failed } = files.counts();
      const isNeeded = active + failed > 0 || cancellations.isRunning();
      if (isNeeded === (stopListening !== null)) return;
      stopListening?.();
      stopListening = isNeeded ? runtime.onPageHide(cancelUnfinished) : null;
    },
  };
}
