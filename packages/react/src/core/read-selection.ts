/** What a drag, a drop, a paste or a file input hands over. */
export interface SelectionEvent {
  type: string;
  dataTransfer?: DataTransfer | null;
  clipboardData?: DataTransfer | null;
  target?: unknown;
}

export interface Selection {
  /** What only hangs over the zone: nothing but its type can be known. */
  dragged: DataTransferItem[];
  files: File[];
  /** What is in the folders that were dropped; null without folders. */
  inFolders: Promise<File[]> | null;
}

/** Takes the files out of an event. Files are there at once; folders take their time. */
export function readSelection(event: SelectionEvent): Selection {
  const selection: Selection = { dragged: [], files: [], inFolders: null };
  const transfer = event.dataTransfer ?? event.clipboardData;
  if (!transfer) {
    const { files } = event.target as HTMLInputElement;
    return { ...selection, files: Array.from(files ?? []) };
  }
  const items = Array.from(transfer.items ?? []).filter((item) => item.kind === "file");
  if (event.type !== "drop" && event.type !== "paste") return { ...selection, dragged: items };
  if (items.length === 0) return { ...selection, files: Array.from(transfer.files) };

  const files: File[] = [];
  const folders: Promise<File[]>[] = [];
  for (const item of items) {
    // Both must be asked for now: an item is empty once the event is over.
    const entry = item.webkitGetAsEntry?.();
    const file = item.getAsFile();
    if (entry?.isDirectory) {
      // A folder that cannot be read stays in sight: as a file, which will fail with a message.
      folders.push(filesIn(entry as FileSystemDirectoryEntry).catch(() => (file ? [file] : [])));
    } else if (file) {
      files.push(file);
    }
  }
  const inFolders = folders.length > 0 ? Promise.all(folders).then((lists) => lists.flat()) : null;
  return { ...selection, files, inFolders };
}

async function filesIn(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const reader = folder.createReader();
  const files: File[] = [];
  for (;;) {
    // A browser hands out a folder in portions; the empty one is the last.
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (portion.length === 0) return files;
    for (const entry of portion) {
      if (entry.isDirectory) files.push(...(await filesIn(entry as FileSystemDirectoryEntry)));
      else if (!LEFT_BY_SYSTEMS.has(entry.name)) files.push(await fileOf(entry as FileSystemFileEntry));
    }
  }
}

// Nobody who drops a folder means these.
const LEFT_BY_SYSTEMS: ReadonlySet<string> = new Set([".DS_Store", "Thumbs.db", "desktop.ini"]);

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}
