import type { UploadTransport } from "../transport.js";
import { type FakeRoute, routeNotFound } from "./fake-routes.js";
import { listedFileOf, type UploadRecord } from "./fake-uploads.js";
import { type FakeCall, toError } from "./fault-injection.js";

/** What the calls about stored files need of the fake backend. */
export interface FileCallsDeps {
  uploads: Map<string, UploadRecord>;
  /** The versions of each stored file by its path, the last one first. */
  versions: Map<string, UploadRecord[]>;
  /** @throws {UploadError} file_not_found */
  find(path: string): UploadRecord;
  /** Records a call, and applies delay, connection and faults to it. */
  receive(call: FakeCall, signal: AbortSignal): Promise<void>;
  quotaBytes(): number | null;
  now(): Date;
  options: {
    routes?: Record<string, FakeRoute> | undefined;
    allowDelete?: boolean | undefined;
    allowList?: boolean | undefined;
    allowDownload?: boolean | undefined;
    allowShare?: boolean | undefined;
    allowVersions?: boolean | undefined;
    allowUsage?: boolean | undefined;
    allowRestore?: boolean | undefined;
    allowUpdate?: boolean | undefined;
    allowFolders?: boolean | undefined;
    allowFolderJobs?: boolean | undefined;
  };
}

type FileCalls = Required<
  Pick<
    UploadTransport,
    "delete" | "restore" | "update" | "list" | "usage" | "download" | "downloads" | "downloadHref"
  >
>;

/** The calls of the fake transport about files that are stored. */
export function createFileCalls(deps: FileCallsDeps): FileCalls {
  const { uploads, find, receive, quotaBytes, now, options } = deps;
  const { routes, allowDelete = true, allowList = true, allowDownload = true, allowUsage = true } = options;
  const { allowRestore = true, allowUpdate = true, allowFolders = true, allowVersions = true } = options;
  const trash = new Map<string, UploadRecord>();
  const downloadOf = ({ path, name, contentType, size }: UploadRecord, disposition?: string | null) => ({
    presigned_url: `https://storage.invalid/${path}?disposition=${disposition ?? "attachment"}`,
    file_path: path,
    filename: name,
    content_type: contentType,
    size,
    expires_at: new Date(now().getTime() + DOWNLOAD_MS).toISOString(),
  });
  return {
    async delete({ file_path }, signal) {
      await receive({ step: "delete", body: { file_path } }, signal);
      if (!allowDelete) throw toError("delete_refused");
      const deleted = find(file_path);
      uploads.delete(deleted.path);
      if (!allowRestore || !deleted.isStored) return {};
      trash.set(deleted.path, deleted);
      return { restorable: true };
    },

    async restore({ file_path }, signal) {
      await receive({ step: "restore", body: { file_path } }, signal);
      if (!allowRestore) throw toError("restore_refused");
      const restored = trash.get(file_path);
      if (!restored) throw toError("file_not_found");
      trash.delete(file_path);
      putBack(uploads, restored);
      return {};
    },

    async update({ file_path, filename, folder }, signal) {
      await receive({ step: "update", body: { file_path, filename, folder } }, signal);
      if (!allowUpdate) throw toError("update_refused");
      const upload = find(file_path);
      if (!upload.isStored) throw toError("file_not_found");
      if (typeof folder === "string" && !allowFolders) throw toError("folder_refused");
      upload.name = filename ?? upload.name;
      upload.folder = folder ?? upload.folder;
      return listedFileOf(upload);
    },

    async list({ route, folder, limit, cursor }, signal) {
      await receive({ step: "list", body: { route, folder, limit, cursor } }, signal);
      if (!allowList) throw toError("list_refused");
      if (folder !== undefined && !allowFolders) throw toError("folder_refused");
      if (route && !routes?.[route]) throw routeNotFound(route, routes);
      const stored = [...uploads.values()].filter((upload) => upload.isStored).toReversed();
      const listed = stored
        .filter((upload) => !route || upload.route === route)
        .filter((upload) => folder === undefined || upload.folder === folder)
        .map(listedFileOf);
      const { items, next_cursor } = pageOf(listed, limit, cursor, ({ file_path }) => file_path);
      return { files: items, next_cursor };
    },

    async usage(signal) {
      await receive({ step: "usage", body: {} }, signal);
      if (!allowUsage) throw toError("usage_refused");
      const stored = [...uploads.values()].filter(({ isStored }) => isStored);
      const open = [...uploads.values()].filter(({ isStored }) => !isStored);
      return {
        used_bytes: totalSize(stored),
        reserved_bytes: totalSize(open),
        file_count: stored.length,
        quota_bytes: quotaBytes(),
        plan: null,
        max_files: null,
        max_open_uploads: null,
        uploads_per_minute: null,
      };
    },

    async download({ file_path, version, disposition }, signal) {
      await receive({ step: "download", body: { file_path, version, disposition } }, signal);
      if (!allowDownload) throw toError("download_refused");
      if (typeof version !== "string") return downloadOf(find(file_path), disposition);
      if (!allowVersions) throw toError("versions_refused");
      return downloadOf(findVersion(deps, file_path, version), disposition);
    },

    async downloads({ file_paths, disposition, reuse }, signal) {
      await receive({ step: "downloads", body: { file_paths, disposition, reuse } }, signal);
      if (!allowDownload) throw toError("download_refused");
      const known = file_paths.filter((path) => uploads.has(path));
      return {
        downloads: known.map((path) => downloadOf(find(path), disposition)),
        not_found: file_paths.filter((path) => !known.includes(path)),
      };
    },

    downloadHref: ({ file_path }) =>
      `https://backend.invalid/download?file_path=${encodeURIComponent(file_path)}`,
  };
}

const DEFAULT_PAGE_SIZE = 50;
const DOWNLOAD_MS = 15 * 60_000;

/** @throws {UploadError} file_not_found */
export function findVersion(
  { find, versions }: Pick<FileCallsDeps, "find" | "versions">,
  path: string,
  version: string,
): UploadRecord {
  const found = versions.get(find(path).path)?.find((upload) => upload.path === version);
  if (found) return found;
  throw toError("file_not_found");
}

/** Adds a file that is stored again. It is listed where it was. */
export function putBack(uploads: FileCallsDeps["uploads"], restored: UploadRecord): void {
  const all = [...uploads.values(), restored].toSorted((one, other) => idOf(one) - idOf(other));
  uploads.clear();
  for (const upload of all) uploads.set(upload.path, upload);
}

/** The number with which the last segment of the path starts: uploads have ascending ones. */
const idOf = ({ path }: UploadRecord) => Number.parseInt(path.slice(path.lastIndexOf("/") + 1), 10);

export const totalSize = (uploads: UploadRecord[]) => uploads.reduce((sum, { size }) => sum + size, 0);

/** One page of a list. The cursor is the key of the last entry. */
export function pageOf<Entry>(
  entries: Entry[],
  limit: number | null | undefined,
  cursor: string | null | undefined,
  keyOf: (entry: Entry) => string,
) {
  const start = entries.findIndex((entry) => keyOf(entry) === cursor) + 1;
  const items = entries.slice(start, start + (limit ?? DEFAULT_PAGE_SIZE));
  const last = items.at(-1);
  const isEnd = last === undefined || start + items.length >= entries.length;
  return { items, next_cursor: isEnd ? null : keyOf(last) };
}
