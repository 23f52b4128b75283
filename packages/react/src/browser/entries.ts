import type { ListedFile, ListedFolder } from "@stowage/client";

/** What a row shows. `key` is unique in a folder, and the same with each render. */
export type Entry = { key: string; name: string } & (
  { folder: ListedFolder; file?: undefined } | { file: ListedFile; folder?: undefined }
);

/** Folders first. */
export function entriesOf(folders: readonly ListedFolder[], files: readonly ListedFile[]): Entry[] {
  return [
    ...folders.map((listed) => {
      const { folder } = listed;
      return { key: folderKey(folder), name: lastSegmentOf(folder), folder: listed };
    }),
    ...files.map((file) => ({ key: file.file_path, name: file.filename, file })),
  ];
}

/** No path of a file starts with a slash. */
export const folderKey = (folder: string): string => `/${folder}`;

export const lastSegmentOf = (folder: string): string => folder.slice(folder.lastIndexOf("/") + 1);

/** The folder above; "" for the root. */
export const parentOf = (folder: string): string => folder.slice(0, Math.max(folder.lastIndexOf("/"), 0));

/** The name of a folder in another one. */
export const joinFolder = (parent: string, name: string): string => [parent, name].filter(Boolean).join("/");

/** The folders from the first level to this one; none for the root. */
export function trailOf(folder: string): string[] {
  const segments = folder === "" ? [] : folder.split("/");
  return segments.map((_, index) => segments.slice(0, index + 1).join("/"));
}
