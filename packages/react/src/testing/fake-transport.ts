import type { BrowserFile, BrowserUploadRequestBody } from "@stowage/schemas";
import { acceptTokens, brokenRule, type FileRules, parseSize, type Size } from "@stowage/schemas/rules";
import { browserRuntime, wait } from "../core/runtime.js";
import type { UploadTicket, UploadTransport } from "../core/transport.js";
import { UploadError, type UploadErrorCode } from "../core/upload-error.js";
import { asError, createFaults, type FakeCall, type FakeHold, type FakeStep } from "./fake-faults.js";

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

export interface FakeRoute extends Pick<FileRules, "accept" | "maxFiles"> {
  maxSize?: Size | undefined;
  minSize?: Size | undefined;
  /** Its answer is `item.data` in the page; a throw is `callback_failed`. */
  onComplete?: ((upload: FakeUpload) => unknown) | undefined;
}

/** One file that the page was given leave for, and what came of it. */
export interface FakeUpload {
  readonly path: string;
  readonly name: string;
  readonly contentType: string;
  /** As announced, in bytes. */
  readonly size: number;
  readonly route: string | undefined;
  readonly input: unknown;
  /** What storage has; null before the PUT. */
  readonly bytes: Uint8Array | null;
  /** The page has completed it. */
  readonly isStored: boolean;
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
      const path = `projects/fake/tenants/fake/${++lastId}_${encodeURIComponent(body.filename)}`;
      const contentType = body.content_type || "application/octet-stream";
      const { filename: name, input } = body;
      const createdAt = now();
      const route = body.route ?? undefined;
      uploads.set(path, {
        path,
        name,
        contentType,
        size,
        route,
        input,
        bytes: null,
        isStored: false,
        createdAt,
        storedAt: null,
      });
      return ticketFor(path, contentType, size, createdAt);
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
      return { routes: Object.fromEntries(Object.entries(routes ?? {}).map(describe)) };
    },

    async probe(signal) {
      signal.throwIfAborted();
      if (!isOnline) throw new UploadError("network_error");
    },
  };
}

interface KeptUpload extends FakeUpload {
  bytes: Uint8Array | null;
  isStored: boolean;
  createdAt: Date;
  storedAt: Date | null;
}

/** The refusals of the helper, in its own order. */
function admit(body: BrowserUploadRequestBody, routes: FakeTransportOptions["routes"]): void {
  if (body.filename.trim() === "") throw asError("filename_required");
  if (!routes && !body.route) return;
  const route = routes?.[body.route ?? ""];
  if (!route) throw asError("route_not_found");
  const rules = rulesOf(route);
  const isSized = rules.maxSize !== undefined || rules.minSize !== undefined;
  if (isSized && body.size === undefined) throw asError("size_required");
  const file = { name: body.filename, type: body.content_type ?? "", size: body.size ?? 0 };
  const code = brokenRule(file, rules, body.files_before ?? 0);
  if (!code) return;
  const { status, detail } = asError(code);
  const bytes = code === "file_too_large" ? rules.maxSize : rules.minSize;
  throw new UploadError(code, { status, detail: detail?.replace("N bytes", `${bytes} bytes`) });
}

function rulesOf({ accept, maxSize, minSize, maxFiles }: FakeRoute): FileRules {
  const bytes = (size: Size | undefined) => (size === undefined ? undefined : parseSize(size));
  return { accept, maxSize: bytes(maxSize), minSize: bytes(minSize), maxFiles };
}

function describe([name, route]: [string, FakeRoute]) {
  const { accept, maxSize, minSize, maxFiles } = rulesOf(route);
  return [
    name,
    {
      ...(accept !== undefined && { accept: acceptTokens(accept) }),
      ...(maxSize !== undefined && { max_size: maxSize }),
      ...(minSize !== undefined && { min_size: minSize }),
      ...(maxFiles !== undefined && { max_files: maxFiles }),
    },
  ] as const;
}

const LIFE_SECONDS = 3600;

function ticketFor(path: string, contentType: string, size: number, now: Date): UploadTicket {
  return {
    presigned_url: `https://storage.invalid/${path}`,
    file_path: path,
    content_type: contentType,
    headers: { "Content-Type": contentType },
    expires_at: new Date(now.getTime() + LIFE_SECONDS * 1000).toISOString(),
    expires_in: LIFE_SECONDS,
    max_bytes: size,
  };
}

function fileOf({ path, name, contentType, size, createdAt, storedAt }: KeptUpload): BrowserFile {
  return {
    file_path: path,
    filename: name,
    content_type: contentType,
    size,
    status: "stored",
    etag: null,
    created_at: createdAt.toISOString(),
    stored_at: storedAt?.toISOString() ?? null,
  };
}

/** As JSON brings it to a page: a date is a text. */
async function resultOf(upload: KeptUpload, routes: FakeTransportOptions["routes"]): Promise<unknown> {
  try {
    const result = await routes?.[upload.route ?? ""]?.onComplete?.(upload);
    return result === undefined ? undefined : (JSON.parse(JSON.stringify(result)) as unknown);
  } catch (error) {
    throw error instanceof UploadError ? error : asError("callback_failed");
  }
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
