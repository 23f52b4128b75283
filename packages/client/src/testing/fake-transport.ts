import { parseSize, type Size } from "@stowage/schemas/page-rules";
import { browserRuntime, wait } from "../runtime.js";
import type { UploadTransport } from "../transport.js";
import { UploadError, type UploadErrorCode } from "../upload-error.js";
import { createFileCalls, pageOf } from "./fake-files.js";
import { createFolderCalls } from "./fake-folders.js";
import { createLinkCalls } from "./fake-links.js";
import {
  joinParts,
  listPartsOf,
  multipartTicketOf,
  openParts,
  openUploadOf,
  partsOf,
  signPartsOf,
} from "./fake-parts.js";
import { callOnComplete, checkRequest, describeRoutes, type FakeRoute } from "./fake-routes.js";
import { type FakeUpload, fileOf, ticketOf, type UploadRecord } from "./fake-uploads.js";
import { createVersionCalls, keepVersion } from "./fake-versions.js";
import {
  createFaultInjection,
  type FakeCall,
  type FakeHold,
  type FakeStep,
  toError,
} from "./fault-injection.js";

/** The routes, files and faults of a fake helper for tests. */
export interface FakeTransportOptions {
  /** The same routes as in the helper's `createStowage`. Without routes, a page that names a route is refused. */
  routes?: Record<string, FakeRoute> | undefined;
  /** Limit of all files together. */
  quota?: Size | undefined;
  /**
   * Files of at least this size are uploaded by parts, as with the helper's `multipartFrom`.
   *
   * @default "32MB"
   */
  multipartFrom?: Size | undefined;
  /**
   * Size of each part but the last. Storage needs at least 5 MiB; the fake takes any size, so that tests are fast.
   *
   * @default what the service chooses: 5 to 10 MiB for files of up to 49 GiB
   */
  partSize?: Size | undefined;
  /**
   * Whether the page may delete files.
   *
   * @default true
   */
  allowDelete?: boolean | undefined;
  /**
   * Whether the page may list the files, download them, share them, use their versions and read the usage.
   *
   * @default true
   */
  allowList?: boolean | undefined;
  allowDownload?: boolean | undefined;
  allowShare?: boolean | undefined;
  allowVersions?: boolean | undefined;
  allowUsage?: boolean | undefined;
  /**
   * Whether the page may restore deleted files, rename and move files, use folders, and move and delete whole folders.
   *
   * @default true
   */
  allowRestore?: boolean | undefined;
  allowUpdate?: boolean | undefined;
  allowFolders?: boolean | undefined;
  allowFolderJobs?: boolean | undefined;
  /**
   * How long each call takes, in milliseconds, by the timers of the page.
   *
   * @default 0
   */
  delayMs?: number | undefined;
  /** How fast bytes are sent. By default a file is sent immediately. */
  bytesPerSecond?: number | undefined;
  /** The clock of the dates in records. */
  now?: (() => Date) | undefined;
}

/** A backend and a storage in memory, for tests. */
export interface FakeTransport extends Required<UploadTransport> {
  /** All uploads that were not deleted or cancelled, oldest first. */
  readonly uploads: readonly FakeUpload[];
  /** All calls of the widget, oldest first. */
  readonly calls: readonly FakeCall[];
  /**
   * Makes the next calls of a step fail. The widget retries transient failures, such as `unavailable` and `network_error`,
   * up to five attempts in all.
   *
   * @param times how many calls fail; 1 by default
   */
  failNext(step: FakeStep, failure: UploadErrorCode | UploadError, times?: number): void;
  /** Makes the next call of a step wait until the test releases it or the page aborts it. */
  holdNext(step: FakeStep): FakeHold;
  /** Makes every call fail as if there was no network. */
  goOffline(): void;
  goOnline(): void;
}

/**
 * Creates a transport for tests of pages that upload. It uses no network. It refuses what the helper would refuse, keeps the
 * bytes of the uploaded files, and fails, waits or slows down when the test asks for it.
 *
 * @example
 * const transport = createFakeTransport();
 * render(<UploadDropzone transport={transport} />);
 * await user.upload(input, new File(["hello"], "hello.txt"));
 * await screen.findByText("Uploaded");
 * expect(new TextDecoder().decode(transport.uploads[0].bytes)).toBe("hello");
 *
 * @example
 * transport.failNext("request", "quota_exceeded");
 *
 * @example
 * const put = transport.holdNext("put");
 * await put.arrived;
 * put.progress(500);
 * put.release();
 */
export function createFakeTransport(options: FakeTransportOptions = {}): FakeTransport {
  const { routes, delayMs = 0, bytesPerSecond, now = () => new Date() } = options;
  const uploads = new Map<string, UploadRecord>();
  const cancelledPaths = new Set<string>();
  const calls: FakeCall[] = [];
  const faults = createFaultInjection();
  let isOnline = true;
  let lastId = 0;

  /** Records a call, and applies delay, connection and faults to it. */
  async function receive(
    call: FakeCall,
    signal: AbortSignal,
    onProgress: (sentBytes: number) => void = () => {},
  ): Promise<void> {
    signal.throwIfAborted();
    calls.push(call);
    if (delayMs > 0) await wait(browserRuntime, delayMs, signal);
    if (!isOnline) throw new UploadError("network_error");
    await faults.apply(call.step, signal, onProgress);
    signal.throwIfAborted();
  }

  const usedBytes = () => [...uploads.values()].reduce((sum, { size }) => sum + size, 0);
  const openBytes = () =>
    [...uploads.values()].reduce((sum, { isStored, size }) => sum + (isStored ? 0 : size), 0);

  function checkQuota(size: number) {
    const quota = quotaBytes() ?? Number.POSITIVE_INFINITY;
    const used = usedBytes();
    if (used + size <= quota) return;
    const { status, detail } = toError("quota_exceeded");
    const reservedBytes = used - openBytes() + size <= quota ? openBytes() : undefined;
    throw new UploadError("quota_exceeded", { status, detail, reservedBytes });
  }

  const quotaBytes = () => (options.quota === undefined ? null : parseSize(options.quota));

  function find(path: string): UploadRecord {
    const upload = uploads.get(path);
    if (upload) return upload;
    throw toError("file_not_found");
  }

  const versions = new Map<string, UploadRecord[]>();
  const fileDeps = { uploads, versions, find, receive, quotaBytes, now, options };

  return {
    get uploads() {
      return [...uploads.values()];
    },
    calls,
    failNext: faults.failNext,
    holdNext: faults.holdNext,
    goOffline: () => void (isOnline = false),
    goOnline: () => void (isOnline = true),

    async request(body, signal) {
      await receive({ step: "request", body: { ...body } }, signal);
      checkRequest(body, routes);
      const size = body.size ?? 0;
      checkQuota(size);
      const upload: UploadRecord = {
        path: `projects/fake/tenants/fake/${++lastId}_${encodeURIComponent(body.filename)}`,
        name: body.filename,
        folder: "",
        contentType: body.content_type || "application/octet-stream",
        size,
        route: body.route ?? undefined,
        input: body.input,
        bytes: null,
        parts: openParts(body, options),
        isStored: false,
        createdAt: now(),
        storedAt: null,
        replaces: null,
      };
      upload.replaces = routes?.[body.route ?? ""]?.replaces?.(upload) ?? null;
      uploads.set(upload.path, upload);
      return upload.parts ? multipartTicketOf(upload, upload.parts) : ticketOf(upload);
    },

    async put(ticket, file, { signal, onProgress }) {
      await receive({ step: "put", body: { file_path: ticket.file_path } }, signal, onProgress);
      const upload = uploads.get(ticket.file_path);
      if (!upload || upload.size !== file.size) throw toError("storage_refused");
      if (bytesPerSecond !== undefined) await send(file.size, bytesPerSecond, { signal, onProgress });
      const bytes = new Uint8Array(await file.arrayBuffer());
      signal.throwIfAborted();
      onProgress(file.size);
      upload.bytes = bytes;
    },

    async signParts(body, signal) {
      await receive({ step: "signParts", body: { ...body } }, signal);
      return signPartsOf(find(body.file_path), body, now());
    },

    async listParts({ file_path, cursor }, signal) {
      await receive({ step: "listParts", body: { file_path, cursor } }, signal);
      return listPartsOf(find(file_path), cursor);
    },

    async putPart({ file_path, number, size }, part, { signal, onProgress }) {
      await receive({ step: "putPart", body: { file_path, number } }, signal, onProgress);
      const upload = uploads.get(file_path);
      if (!upload || upload.bytes || part.size !== size) throw toError("storage_refused");
      if (bytesPerSecond !== undefined) await send(size, bytesPerSecond, { signal, onProgress });
      const bytes = new Uint8Array(await part.arrayBuffer());
      signal.throwIfAborted();
      onProgress(size);
      partsOf(upload).stored.set(number, bytes);
    },

    async complete({ file_path }, signal) {
      await receive({ step: "complete", body: { file_path } }, signal);
      const upload = find(file_path);
      upload.bytes ??= joinParts(upload);
      if (!upload.bytes) throw toError("upload_not_found");
      if (!upload.isStored) keepVersion(fileDeps, upload);
      upload.isStored = true;
      upload.storedAt ??= now();
      const result = await callOnComplete(upload, routes);
      return result === undefined ? fileOf(upload) : { ...fileOf(upload), result };
    },

    async cancel({ file_path }, signal) {
      await receive({ step: "cancel", body: { file_path } }, signal);
      if (cancelledPaths.has(file_path)) return {};
      const upload = find(file_path);
      if (upload.bytes) throw toError("upload_already_stored");
      uploads.delete(file_path);
      cancelledPaths.add(file_path);
      return {};
    },

    async discard({ except }, signal) {
      await receive({ step: "discard", body: { except } }, signal);
      const open = [...uploads.values()].filter(({ path, bytes }) => !bytes && !except.includes(path));
      for (const { path } of open) {
        uploads.delete(path);
        cancelledPaths.add(path);
      }
      return {};
    },

    async open({ limit, cursor }, signal) {
      await receive({ step: "open", body: { limit, cursor } }, signal);
      const open = [...uploads.values()].filter(({ parts, bytes }) => parts && !bytes).toReversed();
      const { items, next_cursor } = pageOf(
        open.map(openUploadOf),
        limit,
        cursor,
        ({ file_path }) => file_path,
      );
      return { uploads: items, next_cursor };
    },

    ...createFileCalls(fileDeps),
    ...createFolderCalls(fileDeps),
    ...createLinkCalls(fileDeps),
    ...createVersionCalls(fileDeps),

    async routes(signal) {
      await receive({ step: "routes", body: {} }, signal);
      return describeRoutes(routes);
    },

    async probe(signal) {
      signal.throwIfAborted();
      if (!isOnline) throw new UploadError("network_error");
    },
  };
}

const TICK_MS = 50;

async function send(
  size: number,
  bytesPerSecond: number,
  { signal, onProgress }: { signal: AbortSignal; onProgress(sentBytes: number): void },
): Promise<void> {
  const step = Math.max(1, Math.round((bytesPerSecond * TICK_MS) / 1000));
  for (let sentBytes = 0; sentBytes < size; sentBytes += step) {
    onProgress(sentBytes);
    await wait(browserRuntime, TICK_MS, signal);
  }
}
