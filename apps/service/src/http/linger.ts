import type { Readable } from "node:stream";

/*
 * Closing a socket with unread bytes sends a reset, which can destroy the last response before the client has read it (RFC 9112
 * section 9.6). So the service waits a moment for the client to close, and reads a part of what the client still sends.
 */

/** How long the client has to read the last response of a connection. */
export const LINGER_MS = 1000;

/** Enough for a client that writes a short body before it reads. */
const MAX_DISCARDED_BYTES = 256 * 1024;

/** Reads and discards a limited part of what a client still sends. It never reads more, so the client's writes stop too. */
export function discardSome(incoming: Readable): void {
  let discardedBytes = 0;
  incoming.on("data", (chunk: Buffer) => {
    discardedBytes += chunk.length;
    if (discardedBytes > MAX_DISCARDED_BYTES) incoming.pause();
  });
  incoming.resume();
}
