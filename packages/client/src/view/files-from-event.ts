import { fromEvent } from "file-selector";

/** The event of a drop, a paste or a file input. */
interface FilesEvent {
  type: string;
  dataTransfer?: DataTransfer | null;
}

/**
 * Passes the files of an event to `add`.
 *
 * @param onEmpty called for a folder without files
 */
export async function addFilesFromEvent(
  event: FilesEvent,
  add: (files: File[]) => void,
  onEmpty: () => void = () => {},
): Promise<void> {
  const files = (await readFiles(event)).filter(({ name }) => !SYSTEM_FILES.has(name));
  if (files.length > 0) {
    add(files);
  } else if (event.type !== "paste") {
    // Text can be pasted, but only files can be dropped or chosen.
    onEmpty();
  }
}

/** Files that operating systems put into folders, and that a dropped folder may contain. */
const SYSTEM_FILES: ReadonlySet<string> = new Set([".DS_Store", "Thumbs.db", "desktop.ini"]);

async function readFiles(event: FilesEvent): Promise<File[]> {
  const { dataTransfer } = event;
  if (!dataTransfer) {
    return (await fromEvent(event)) as File[];
  }
  const items = [...(dataTransfer.items ?? [])];
  if (items.length > 0) {
    return (await Promise.all(items.map(readItem))).flat() as File[];
  }
  // Some drops have files but no items. file-selector reads those only from clipboard data.
  return (await fromEvent({ clipboardData: dataTransfer })) as File[];
}

/** Reads items one by one, so that a folder that cannot be read does not hide the others. */
function readItem(item: DataTransferItem): Promise<(File | DataTransferItem)[]> {
  // Read synchronously: an item is empty once the event is over. Null if the item is not a file.
  const file = item.getAsFile();
  // A folder that cannot be read is listed as a file. Its upload fails with a message.
  return fromEvent({ type: "drop", dataTransfer: { items: [item] } }).catch(() => (file ? [file] : []));
}
