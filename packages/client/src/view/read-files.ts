// Loaded after the first view, because a page needs it only when a person drops, chooses or pastes something.
import { mediaTypeOfName } from "@stowage/schemas/rules";
import { englishFilesLabels } from "../labels/files-labels.js";
import type { ActiveLabels } from "../labels/labels.js";
import { isSystemPath } from "../store/system-files.js";
import { MIN_FINGERPRINT_BYTES } from "../transport.js";
import { isPackageFolder } from "./package-folders.js";

export const codeName = "read-files";

/** Says in the reader's language why a gesture added no files, or not all. */
export type FilesNotice = (labels: ActiveLabels) => string;

/** What a browser tells of a thing only while the event of the drop or the paste runs. */
export interface GivenItem {
  file: File | null;
  /** Null for a file that is on no disk, such as a picture of the clipboard. */
  entry?: FileSystemEntry | null | undefined;
  handle?: Promise<FileSystemHandle | null> | undefined;
}

/** A sentence names so many folders. */
const MAX_NAMED = 3;

/**
 * Reads the files of a gesture, also the files in folders. System files are among them: the list leaves them out.
 *
 * @param type of the event: `drop`, `paste` or `change`
 */
export async function readFiles(
  items: readonly GivenItem[],
  type: string,
): Promise<{ files: File[]; notice: FilesNotice | undefined }> {
  const packages = new Set<string>();
  const read = await Promise.all(items.map((item) => readItem(item, packages)));
  const files = read.flat();
  for (const file of files) nameType(file);
  return { files, notice: noticeOf(items, type, files, packages) };
}

/** Files, a folder, or a file that is on no disk. A folder that cannot be read is listed as a file, whose upload fails with a message. */
async function readItem({ file, entry, handle }: GivenItem, packages: Set<string>): Promise<File[]> {
  if (file?.webkitRelativePath) {
    const folders = file.webkitRelativePath.split("/").slice(0, -1);
    const packaged = folders.find(isPackageFolder);
    if (packaged === undefined) return [file];
    packages.add(packaged);
    return [];
  }
  try {
    const opened = (await handle?.catch(() => null)) ?? undefined;
    if (entry?.isDirectory || (!entry && opened?.kind === "directory")) {
      const files: File[] = [];
      await readPlace({ entry, handle: async () => opened }, "", files, packages);
      return files;
    }
    // The handle gives another object, which is not known to Electron.
    const read = file ?? (await (opened as FileSystemFileHandle | undefined)?.getFile());
    return read ? [withPath(read, undefined, opened)] : [];
  } catch {
    return file ? [file] : [];
  }
}

/** A file or a folder on a disk. It has an entry, a handle or both. */
interface Place {
  entry?: FileSystemEntry | null | undefined;
  handle(): Promise<FileSystemHandle | undefined>;
}

async function readPlace(place: Place, folder: string, files: File[], packages: Set<string>): Promise<void> {
  const { entry, handle } = place;
  const { name, kind } = entry ? { name: entry.name, kind: kindOf(entry) } : (await handle())!;
  const path = `${folder}${name}`;
  try {
    if (kind === "file") {
      const file = await fileOf(place);
      // Only large files are continued by a later page.
      const kept = file.size < MIN_FINGERPRINT_BYTES ? undefined : await handle();
      files.push(withPath(file, `${folder}${file.name}`, kept));
    } else if (isPackageFolder(name)) {
      packages.add(name);
    } else {
      for (const child of await childrenOf(place)) await readPlace(child, `${path}/`, files, packages);
    }
  } catch (error) {
    // Windows and macOS let nobody read some of their own folders.
    if (!isSystemPath(kind === "file" ? path : `${path}/`)) throw error;
  }
}

const kindOf = ({ isDirectory }: FileSystemEntry): FileSystemHandleKind =>
  isDirectory ? "directory" : "file";

async function fileOf({ entry, handle }: Place): Promise<File> {
  return entry
    ? new Promise((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    : ((await handle()) as FileSystemFileHandle).getFile();
}

/**
 * Reads a folder by its entry, because Chromium's handle of a folder hides files such as `~notes.txt` and `who?.txt`
 * (`findings/folder-handle-hides-files.sh`). Some folders of Windows can be read by their handle only.
 */
async function childrenOf({ entry, handle }: Place): Promise<Place[]> {
  const entries = entry && (await entriesOf(entry as FileSystemDirectoryEntry).catch(() => null));
  if (entries) return entries.map((child) => ({ entry: child, handle: () => handleIn(handle, child) }));
  const folder = (await handle()) as FolderHandle | undefined;
  if (!folder) throw new Error("The folder cannot be read");
  const children: Place[] = [];
  for await (const child of folder.values()) children.push({ handle: async () => child });
  return children;
}

/** Not in the types of every version of TypeScript. */
type FolderHandle = FileSystemDirectoryHandle & { values(): AsyncIterable<FileSystemHandle> };

/** A reader returns a part of the entries with each call, and none in the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (part.length === 0) return entries;
    entries.push(...part);
  }
}

/** Undefined in browsers without handles, and for a file that Chromium's handle hides. */
async function handleIn(
  folder: Place["handle"],
  child: FileSystemEntry,
): Promise<FileSystemHandle | undefined> {
  try {
    const handle = (await folder()) as FileSystemDirectoryHandle | undefined;
    return await (child.isDirectory
      ? handle?.getDirectoryHandle(child.name)
      : handle?.getFileHandle(child.name));
  } catch {
    return undefined;
  }
}

/** @param handle lets a later page read the file again */
function withPath(file: File, path: string | undefined, handle: FileSystemHandle | undefined): File {
  if (path !== undefined) Object.defineProperty(file, "relativePath", { value: path, enumerable: true });
  if (handle) Object.defineProperty(file, "handle", { value: handle, enumerable: true });
  return file;
}

/** Gives a file the type of its name if the browser knows none. */
function nameType(file: File): void {
  const named = file.type === "" && mediaTypeOfName(file.name);
  if (named) Object.defineProperty(file, "type", { value: named, enumerable: true });
}

function noticeOf(
  items: readonly GivenItem[],
  type: string,
  files: readonly File[],
  packages: ReadonlySet<string>,
): FilesNotice | undefined {
  if (packages.size > 0) {
    const names = [...packages].slice(0, MAX_NAMED).concat(packages.size > MAX_NAMED ? "…" : []);
    return ({ packageFolders = englishFilesLabels.packageFolders }) => packageFolders(names.join(", "));
  }
  // A message, a link or a text was dragged.
  if (items.length === 0 && type === "drop") {
    return ({ saveFirst = englishFilesLabels.saveFirst }) => saveFirst;
  }
  const isFolder = files.every((file) => pathOf(file) !== file.name && isSystemPath(pathOf(file)));
  return isFolder && type !== "paste"
    ? ({ emptyFolder = englishFilesLabels.emptyFolder }) => emptyFolder
    : undefined;
}

const pathOf = (file: File & { relativePath?: string }) =>
  file.webkitRelativePath || file.relativePath || file.name;
