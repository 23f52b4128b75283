import type { Stats } from "node:fs";
import { access, constants, open, stat } from "node:fs/promises";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { StowageError } from "@stowage/schemas";

/** A string is the path of a file on this machine. */
export type Uploadable = Blob | string | Uint8Array | ReadableStream<Uint8Array> | Readable;

/** From `start` up to, but not including, `end`. */
export interface ByteRange {
  start: number;
  end: number;
}

/** The bytes of one upload. Their number is known before they are read. */
export interface Source {
  filename: string;
  contentType: string | undefined;
  sizeBytes: number;
  /** Whether `open` may be called more than once, and with ranges. A stream can be read only once, as a whole. */
  isReadableAgain: boolean;
  /** @param range @default all bytes */
  open(range?: ByteRange): AsyncIterable<Uint8Array>;
  /** @throws {StowageError} `invalid_request` when the file at a path is not the same as before */
  checkUnchanged(): Promise<void>;
  /** Closes a stream that was never read. */
  release(): void;
}

interface SourceInput {
  file: Uploadable;
  filename?: string | undefined;
  contentType?: string | undefined;
  size?: number | undefined;
}

/**
 * Determines name, type and size of an upload without reading its bytes.
 *
 * @throws {TypeError} when the name or the size is unknown
 * @throws {StowageError} `invalid_request` when the file at a path cannot be read
 */
export async function openSource({ file, filename, contentType, size }: SourceInput): Promise<Source> {
  const common = {
    contentType,
    filename: filename ?? nameOf(file),
    checkUnchanged: async () => {},
    release: () => {},
  };
  if (typeof file === "string") {
    const before = await statFile(file);
    return {
      ...common,
      sizeBytes: before.size,
      isReadableAgain: true,
      open: (range) => readPath(file, range),
      checkUnchanged: () => checkUnchanged(file, before),
    };
  }
  if (file instanceof Blob) {
    const type = contentType ?? (file.type || undefined);
    return {
      ...common,
      contentType: type,
      sizeBytes: file.size,
      isReadableAgain: true,
      open: (range) => (range ? file.slice(range.start, range.end) : file).stream(),
    };
  }
  if (file instanceof Uint8Array) {
    return {
      ...common,
      sizeBytes: file.byteLength,
      isReadableAgain: true,
      open: (range) => once(file.subarray(range?.start, range?.end)),
    };
  }
  if (file instanceof ReadableStream || file instanceof Readable) {
    if (size === undefined) {
      throw new TypeError("upload: a stream needs size in bytes, because storage requires a Content-Length");
    }
    const release = () => releaseStream(file);
    return { ...common, sizeBytes: size, isReadableAgain: false, open: () => file, release };
  }
  throw new TypeError("upload: file must be a Blob, a path, bytes or a stream");
}

function releaseStream(stream: ReadableStream<Uint8Array> | Readable): void {
  if (stream instanceof Readable) stream.destroy();
  // A locked stream belongs to its reader, which closes it.
  else if (!stream.locked) stream.cancel().catch(() => {});
}

function nameOf(file: Uploadable): string {
  if (typeof file === "string") return basename(file);
  const name: unknown = file instanceof Blob && "name" in file ? file.name : undefined;
  if (typeof name === "string" && name !== "") return name;
  throw new TypeError("upload: filename is missing: only a File and a path have a name of their own");
}

async function statFile(path: string): Promise<Stats> {
  try {
    // Checked before the file is opened: opening a named pipe waits for its writer.
    const stats = await stat(path);
    if (stats.isFile()) {
      await access(path, constants.R_OK);
      return stats;
    }
  } catch (cause) {
    throw unreadable(cause);
  }
  throw new StowageError("invalid_request", { detail: `${path} is not a file` });
}

async function checkUnchanged(path: string, before: Stats): Promise<void> {
  const now = await statFile(path);
  if (now.size !== before.size || now.mtimeMs !== before.mtimeMs || now.ino !== before.ino) {
    throw new StowageError("invalid_request", { detail: `${path} was changed during its upload` });
  }
}

const FILE_CHUNK_BYTES = 256 * 1024;

async function* readPath(path: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
  const handle = await open(path);
  // Node's `end` is the last byte that is read.
  const bounds = range ? { start: range.start, end: range.end - 1 } : {};
  // The stream closes the handle, also after an error.
  yield* handle.createReadStream({ ...bounds, highWaterMark: FILE_CHUNK_BYTES });
}

/** Yields bytes as one chunk. */
export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

export function unreadable(cause: unknown): StowageError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StowageError("invalid_request", { detail: `The file could not be read: ${reason}`, cause });
}
