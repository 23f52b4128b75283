import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";

/** The file cannot be read to its end. The message is the rest of a sentence about it, and has no text of the file. */
export class UnreadableFileError extends Error {
  override readonly name = "UnreadableFileError";
}

interface Limits {
  /** Of a line. @default 64 KiB, twice what web servers accept as a request */
  maxLineBytes?: number;
  /** Of the lines together, after decompression. Without it, a small gzip file could take days. @default 64 GiB */
  maxBytes?: number;
}

/**
 * Reads the lines of a file as a stream, so that its size takes no memory. A file whose name ends with `.gz` is decompressed. A character
 * is a byte (latin1). What comes after the last line end is left out: its writer is still writing it.
 *
 * @param use gets null for a line that is too long
 * @returns what `use` returns
 * @throws {UnreadableFileError} for a file that is missing, may not be read, is damaged, ends too early or is too large; errors of `use`
 */
export async function readLines<Result>(
  file: string,
  use: (lines: AsyncIterable<string | null>) => Promise<Result>,
  limits: Limits = {},
): Promise<Result> {
  const bytes = createReadStream(file);
  let failure: unknown;
  const read = (chunks: AsyncIterable<Buffer>) =>
    use(splitLines(chunks, limits)).catch((error: unknown) => {
      failure = error;
      throw error;
    });
  try {
    if (file.endsWith(".gz")) return await pipeline(bytes, createGunzip(), read);
    return await pipeline(bytes, read);
  } catch (error) {
    // A pipeline that stops because of a failure may report only that it stopped.
    const cause = (error as Error).name === "AbortError" ? (failure ?? error) : error;
    throw toUnreadable(cause) ?? cause;
  }
}

async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  { maxLineBytes = 64 * 1024, maxBytes = 64 * 1024 ** 3 }: Limits,
): AsyncGenerator<string | null> {
  let start = "";
  let isTooLong = false;
  let readBytes = 0;
  for await (const chunk of chunks) {
    readBytes += chunk.length;
    if (readBytes > maxBytes) throw new UnreadableFileError(`has more than ${maxBytes} bytes of lines`);
    const parts = chunk.toString("latin1").split("\n");
    const last = parts.pop()!;
    for (const part of parts) {
      const line = start + part;
      yield isTooLong || line.length > maxLineBytes ? null : line;
      start = "";
      isTooLong = false;
    }
    start += last;
    if (start.length > maxLineBytes) {
      start = "";
      isTooLong = true;
    }
  }
}

const REASONS: Record<string, string> = {
  ENOENT: "does not exist",
  EACCES: "may not be read by this user",
  EISDIR: "is a folder",
  Z_BUF_ERROR: "ends in the middle of its compressed data",
  Z_DATA_ERROR: "is damaged, or not compressed by gzip",
};

/** @returns undefined for an error that the file did not cause */
function toUnreadable(error: unknown): UnreadableFileError | undefined {
  const { code = "", syscall } = error as NodeJS.ErrnoException;
  const isOfFile = syscall === "open" || syscall === "read" || code.startsWith("Z_");
  return isOfFile
    ? new UnreadableFileError(REASONS[code] ?? `cannot be read (${code})`, { cause: error })
    : undefined;
}
