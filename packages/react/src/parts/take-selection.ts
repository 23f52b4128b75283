import { fromEvent } from "file-selector";

/** What a drag, a drop, a paste or a file input hands over. */
interface SelectionEvent {
  type: string;
  dataTransfer?: DataTransfer | null;
}

/**
 * Hands over the files of an event: here, because react-dropzone forgets a drop that is followed by another too soon.
 *
 * @returns what hangs over the zone, of which nothing but the type can be known
 */
export async function takeSelection(
  event: SelectionEvent,
  add: (files: File[]) => void,
): Promise<(File | DataTransferItem)[]> {
  const { type, dataTransfer } = event;
  if (dataTransfer && type !== "drop") return fromEvent(event);
  const items = [...(dataTransfer?.items ?? [])];
  const files = items.length
    ? await Promise.all(items.map(filesIn))
    : // Some hand over files without items: file-selector looks for those in a clipboard only.
      await fromEvent(dataTransfer ? { clipboardData: dataTransfer } : event);
  const meant = (files.flat() as File[]).filter(({ name }) => !LEFT_BY_SYSTEMS.test(name));
  if (meant.length > 0) add(meant);
  return [];
}

// Nobody who drops a folder means these.
const LEFT_BY_SYSTEMS = /^(\.DS_Store|Thumbs\.db|desktop\.ini)$/;

/** Asked for by itself: one folder that cannot be read must not hide the others. */
function filesIn(item: DataTransferItem): Promise<(File | DataTransferItem)[]> {
  // Asked for now: an item is empty once the event is over. What is no file gives none.
  const file = item.getAsFile();
  // What cannot be read stays in sight: as a file, which will fail with a message.
  return fromEvent({ type: "drop", dataTransfer: { items: [item] } }).catch(() => (file ? [file] : []));
}
