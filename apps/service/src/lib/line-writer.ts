import { writeSync } from "node:fs";

/** Writes lines to a pipe, socket or file, and never waits for it. */
export interface LineWriter {
  write(line: string): void;
  /**
   * Writes the held lines, and waits at most `maxMs` for a reader. It blocks the process: call it before the process exits. Lines that
   * are still held wait for the next call of `write`, so the descriptor may be closed.
   */
  finish(maxMs: number): void;
}

interface LineWriterOptions {
  /** Called when lines can be written again, with the number of lines that were lost since the last call. */
  onLost: (lines: number) => void;
  /** The largest amount of text that waits to be written. Further lines are lost. @default 1 MiB */
  maxHeldBytes?: number;
}

const MAX_HELD_BYTES = 1024 * 1024;
const RETRY_MS = 100;
const RETRY_SOON_MS = 5;
const FINISH_RETRY_MS = 10;

/**
 * If the descriptor takes no more, because its reader does not read, the disk is full or the pipe is closed, lines are held, and
 * then lost and counted. Writing is tried again ten times a second.
 *
 * pino's own destination is not used (measured with sonic-boom 4.2): the synchronous one waits until the pipe is read. The
 * asynchronous one occupies a thread of libuv's pool, and the process cannot exit until the pipe is read. Both wait for ever at the
 * exit if the disk is full, and after EPIPE all further lines are lost and not counted.
 *
 * @param fd a file descriptor. If it is a pipe or a socket, it must not block (O_NONBLOCK).
 */
export function createLineWriter(
  fd: number,
  { onLost, maxHeldBytes = MAX_HELD_BYTES }: LineWriterOptions,
): LineWriter {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let lostLines = 0;
  let lastError: string | undefined;
  let retryTimer: NodeJS.Timeout | undefined;

  /** @returns how many bytes were written */
  function tryWrite(text: string | Buffer): number {
    lastError = undefined;
    try {
      return typeof text === "string" ? writeSync(fd, text) : writeSync(fd, text);
    } catch (error) {
      lastError = (error as NodeJS.ErrnoException).code;
      return 0;
    }
  }

  function hold(bytes: Buffer): void {
    held.push(bytes);
    heldBytes += bytes.length;
    retryTimer ??= setTimeout(retry, RETRY_MS).unref();
  }

  function retry(): void {
    retryTimer = undefined;
    const written = writeHeld();
    // A pipe takes at most 64 KB at once. Its reader has started to read, so it soon takes more.
    if (heldBytes > 0) retryTimer = setTimeout(retry, written > 0 ? RETRY_SOON_MS : RETRY_MS).unref();
  }

  /** @returns how many bytes were written */
  function writeHeld(): number {
    const all = Buffer.concat(held);
    const written = tryWrite(all);
    heldBytes = all.length - written;
    held = heldBytes > 0 ? [all.subarray(written)] : [];
    if (heldBytes === 0 && lostLines > 0) {
      const lines = lostLines;
      lostLines = 0;
      onLost(lines);
    }
    return written;
  }

  return {
    write(line) {
      if (heldBytes > 0) {
        const bytes = Buffer.from(line);
        if (heldBytes + bytes.length > maxHeldBytes) lostLines++;
        else hold(bytes);
        return;
      }
      const written = tryWrite(line);
      if (written < Buffer.byteLength(line)) hold(Buffer.from(line).subarray(written));
    },
    finish(maxMs) {
      clearTimeout(retryTimer);
      retryTimer = undefined;
      const deadline = performance.now() + maxMs;
      while (heldBytes > 0) {
        writeHeld();
        // A slow reader is worth the wait. A full disk or a closed pipe is not.
        const isHopeless = lastError !== undefined && lastError !== "EAGAIN";
        if (isHopeless || performance.now() > deadline) return;
        if (heldBytes > 0) sleepSync(FINISH_RETRY_MS);
      }
    },
  };
}

function sleepSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
