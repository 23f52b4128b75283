import { loadCode } from "../load-code.js";
import type { FilesNotice, GivenItem } from "./read-files.js";

/** The event of a drop, a paste or a file input, of the browser or of React. */
export interface FilesEvent {
  type: string;
  target?: EventTarget | null;
  dataTransfer?: DataTransfer | null;
  clipboardData?: DataTransfer | null;
}

const loadReader = () => loadCode(() => import("./read-files.js"), "read-files");

/** Loads the code that reads folders, so that it is there before a person drops one. */
export function preloadReader(): void {
  loadReader().catch(() => {});
}

/**
 * Passes the files of an event to `add`, also the files in folders. Package folders, and things that are no files, are not passed.
 *
 * @param onNotice called with what a person should know
 */
export async function addFilesFromEvent(
  event: FilesEvent,
  add: (files: File[]) => void,
  onNotice: (notice: FilesNotice) => void,
): Promise<void> {
  const items = itemsOf(event);
  const reader = await loadReader().catch(() => null);
  if (!reader) {
    // A folder is listed as a file then. Its upload fails with a message.
    return add(items.flatMap(({ file }) => file ?? []));
  }
  const { files, notice } = await reader.readFiles(items, event.type);
  if (files.length > 0) {
    add(files);
  }
  if (notice) {
    onNotice(notice);
  }
}

function itemsOf({ target, dataTransfer, clipboardData }: FilesEvent): GivenItem[] {
  const data = dataTransfer ?? clipboardData;
  const items = [...(data?.items ?? [])].filter(({ kind }) => kind === "file").map(itemOf);
  // Some drops have files but no items.
  const { files } = data ?? (target as HTMLInputElement);
  return items.length > 0 ? items : Array.from(files ?? [], (file) => ({ file }));
}

/** Calls each method before the browser empties the item, which is when the event is over or after the first promise. */
function itemOf(item: DataTransferItem & { getAsFileSystemHandle?(): GivenItem["handle"] }): GivenItem {
  const file = item.getAsFile();
  const entry = item.webkitGetAsEntry?.();
  // Chromium had crashes on pages without https.
  const handle = globalThis.isSecureContext ? item.getAsFileSystemHandle?.() : undefined;
  handle?.catch(() => {});
  return { file, entry, handle };
}
