import type { IncomingMessage } from "node:http";

/** What is read of a body that nobody wants, before the connection is cut. */
const MAX_DRAINED_BYTES = 256 * 1024 ** 2;
const MAX_DRAIN_MS = 10_000;

/**
 * Reads a refused body away, within bounds. Closing a socket with unread bytes sends a reset, which can destroy the
 * answer before the client has read it (RFC 9112 section 9.6).
 */
export async function drain(message: IncomingMessage): Promise<void> {
  await new Promise<void>((resolve) => {
    let drainedBytes = 0;
    const count = (chunk: Buffer): void => {
      drainedBytes += chunk.length;
      if (drainedBytes > MAX_DRAINED_BYTES) finish();
    };
    const finish = (): void => {
      clearTimeout(deadline);
      message.off("data", count).off("end", finish).off("close", finish).off("error", finish);
      // A cut body is an error event later on, and nobody is left to whom it matters.
      message.on("error", () => {});
      resolve();
    };
    const deadline = setTimeout(finish, MAX_DRAIN_MS);
    message.on("data", count).on("end", finish).on("close", finish).on("error", finish);
    message.resume();
  });
}
