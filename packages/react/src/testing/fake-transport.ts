import { parseSize, type Size } from "@stowage/schemas/rules";
import { browserRuntime, wait } from "../core/runtime.js";
import type { UploadTransport } from "../core/transport.js";
import { UploadError, type UploadErrorCode } from "../core/upload-error.js";
import { asError, createFaults, type FakeCall, type FakeHold, type FakeStep } from "./fake-faults.js";
import { admit, describeRoutes, type FakeRoute, resultOf } from "./fake-routes.js";
import { type FakeUpload, fileOf, type KeptUpload, ticketOf } from "./fake-uploads.js";

export interface FakeTransportOptions {
  /** As `createStowage` of the helper is told them; without any, a page that names a route is refused. */
  routes?: Record<string, FakeRoute> | undefined;
  /** For all files together. */
  quota?: Size | undefined;
  /** Whether the page may delete; true unless told. */
  allowDelete?: boolean | undefined;
  /** What each call takes, by the timers of the page; nothing unless told. */
  delayMs?: number | undefined;
  /** How fast a file leaves; at once unless told. */
  bytesPerSecond?: number | undefined;
  /** The clock of what is recorded. */
  now?: (() => Date) | undefined;
}

/** A backend and a storage in the memory of a test. */
export interface FakeTransport extends Required<UploadTransport> {
  /** Oldest first; what was deleted is gone. */
  readonly uploads: readonly FakeUpload[];
  /** Everything that the widget asked, oldest first. */
  readonly calls: readonly FakeCall[];
  /**
   * The next calls of a step fail. What may pass by itself (`unavailable`, `network_error`…) the widget tries again, up
   * to five times in all.
   */
  failNext(step: FakeStep, failure: UploadErrorCode | UploadError, times?: number): void;
  /** The next call of a step waits, until the test or the page ends it. */
  holdNext(step: FakeStep): FakeHold;
  /** Every call fails as without a network. */
  goOffline(): void;
  goOnline(): void;
}

/**
 * A transport for tests of pages that upload: no network, no backend, no storage. It refuses what the helper would refuse,
 * keeps the bytes of what it takes, and fails, hangs or dawdles when told to.
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
  const { routes, allowDelete = true, delayMs = 0, bytesPerSecond, now = () => new Date() } = options;
  const uploads = new Map<string, KeptUpload>();
  const calls: FakeCall[] = [];
  const faults = createFaults();
  let isOnline = true;
  let lastId = 0;

  /** What every call goes through before it is answered. */
  async function arrive(
    call: FakeCall,
    signal: AbortSignal,
    onProgress: (sentBytes: number) => void = () => {},
  ): Promise<void> {
    signal.throwIfAborted();
    calls.push(call);
    if (delayMs > 0) await wait(browserRuntime, delayMs, signal);
    if (!isOnline) throw new UploadError("network_error");
    await faults.meet(call.step, signal, onProgress);
    signal.throwIfAborted();
  }

  function find(path: string): KeptUpload {
    const upload = uploads.get(path);
    if (upload) return upload;
    throw asError("file_not_found");
  }

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
      await arrive({ step: "request", body: { ...body } }, signal);
      admit(body, routes);
      const size = body.size ?? 0;
      const usedBytes = [...uploads.values()].reduce((sum, upload) => sum + upload.size, 0);
      if (options.quota !== undefined && usedBytes + size > parseSize(options.quota)) {
        throw asError("quota_exceeded");
      }
      const upload: KeptUpload = {
        path: `projects/fake/tenants/fake/${++lastId}_${encodeURIComponent(body.filename)}`,
        name: body.filename,
        contentType: body.content_type || "application/octet-stream",
        size,
        route: body.route ?? undefined,
        input: body.input,
        bytes: null,
        isStored: false,
        createdAt: now(),
        storedAt: null,
      };
      uploads.set(upload.path, upload);
      return ticketOf(upload);
    },

    async put(ticket, file, { signal, onProgress }) {
      await arrive({ step: "put", body: { file_path: ticket.file_path } }, signal, onProgress);
      const upload = uploads.get(ticket.file_path);
      if (!upload || upload.size !== file.size) throw asError("storage_refused");
      if (bytesPerSecond !== undefined) await send(file.size, bytesPerSecond, { signal, onProgress });
      const bytes = new Uint8Array(await file.arrayBuffer());
      signal.throwIfAborted();
      onProgress(file.size);
      upload.bytes = bytes;
    },

    async complete({ file_path }, signal) {
      await arrive({ step: "complete", body: { file_path } }, signal);
      const upload = find(file_path);
      if (!upload.bytes) throw asError("upload_not_found");
      upload.isStored = true;
      upload.storedAt ??= now();
      const result = await resultOf(upload, routes);
      return result === undefined ? fileOf(upload) : { ...fileOf(upload), result };
    },

    async delete({ file_path }, signal) {
      await arrive({ step: "delete", body: { file_path } }, signal);
      if (!allowDelete) throw asError("delete_refused");
      uploads.delete(find(file_path).path);
      return {};
    },

    async routes(signal) {
      await arrive({ step: "routes", body: {} }, signal);
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
