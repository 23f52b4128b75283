import type { UploadTransport } from "../transport.js";
import { type FakeRoute, routeNotFound } from "./fake-routes.js";
import { listedFileOf, type UploadRecord } from "./fake-uploads.js";
import { type FakeCall, toError } from "./fault-injection.js";

/** What the calls about stored files need of the fake backend. */
interface FileCallsDeps {
  uploads: Map<string, UploadRecord>;
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
    allowUsage?: boolean | undefined;
  };
}

type FileCalls = Required<
  Pick<UploadTransport, "delete" | "list" | "usage" | "download" | "downloads" | "downloadHref">
>;

/** The calls of the fake transport about files that are stored. */
export function createFileCalls(deps: FileCallsDeps): FileCalls {
  const { uploads, find, receive, quotaBytes, now, options } = deps;
  const { routes, allowDelete = true, allowList = true, allowDownload = true, allowUsage = true } = options;
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
      uploads.delete(find(file_path).path);
      return {};
    },

    async list({ route, limit, cursor }, signal) {
      await receive({ step: "list", body: { route, limit, cursor } }, signal);
      if (!allowList) throw toError("list_refused");
      if (route && !routes?.[route]) throw routeNotFound(route, routes);
      const stored = [...uploads.values()].filter((upload) => upload.isStored).toReversed();
      const listed = stored.filter((upload) => !route || upload.route === route).map(listedFileOf);
      const { items, next_cursor } = pageOf(listed, limit, cursor);
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

    async download({ file_path, disposition }, signal) {
      await receive({ step: "download", body: { file_path, disposition } }, signal);
      if (!allowDownload) throw toError("download_refused");
      return downloadOf(find(file_path), disposition);
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

const totalSize = (uploads: UploadRecord[]) => uploads.reduce((sum, { size }) => sum + size, 0);

/** One page of a list. The cursor is the path of the last entry. */
export function pageOf<Entry extends { file_path: string }>(
  entries: Entry[],
  limit: number | null | undefined,
  cursor: string | null | undefined,
) {
  const start = entries.findIndex(({ file_path }) => file_path === cursor) + 1;
  const items = entries.slice(start, start + (limit ?? DEFAULT_PAGE_SIZE));
  const isEnd = start + items.length >= entries.length;
  return { items, next_cursor: isEnd ? null : (items.at(-1)?.file_path ?? null) };
}
