import type { Cancel, Runtime } from "../runtime.js";
import type { UploadSettings } from "../upload-settings.js";
import type { FileCollection } from "./file-collection.js";

interface LeaveGuardDeps {
  runtime: Pick<Runtime, "onBeforeUnload">;
  files: Pick<FileCollection, "counts">;
  settings(): Pick<UploadSettings, "leaveGuard">;
}

/** Lets the browser ask before the page is left while files are uploaded, whether or not a component shows them. */
export function createLeaveGuard({ runtime, files, settings }: LeaveGuardDeps) {
  let stopListening: Cancel | null = null;

  return {
    /** Listens only while files are active: browsers keep no page with this listener in their cache of pages. */
    update() {
      const isNeeded = settings().leaveGuard !== false && files.counts().active > 0;
      if (isNeeded === (stopListening !== null)) return;
      stopListening?.();
      stopListening = isNeeded ? runtime.onBeforeUnload((event) => event.preventDefault()) : null;
    },
  };
}
