import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";

/*
 * Closing a socket with unread bytes sends a reset, which can destroy the last response before the client has read it (RFC 9112
 * section 9.6). So the service waits a moment for the client to close, and reads a part of what the client still sends.
 */

/** How long the client has to read the last response of a connection. */
const LINGER_MS = 1000;

/** Enough for a client that writes a short body before it reads. */
const MAX_DISCARDED_BYTES = 256 * 1024;

/** Sends the last bytes of a connection, and disconnects a client that does not close it in time. */
export function closeGently(socket: Socket, lastBytes: string): void {
  if (socket.writable) socket.end(lastBytes);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(timer));
}

/** Waits until the client has sent the rest of the body or ended its side of the connection, within limits. */
export function discardRest(message: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    if (message.socket.readableEnded) return resolve();
    const deadline = setTimeout(resolve, LINGER_MS);
    const finish = () => {
      clearTimeout(deadline);
      resolve();
    };
    message.on("end", finish).on("close", finish).on("error", finish);
    // Node keeps a request open whose client ends its side in the middle of the body.
    message.socket.on("end", finish);
    discardSome(message);
  });
}

/** Reads and discards a limited part of what a client still sends. It never reads more, so the client's writes stop too. */
export function discardSome(incoming: Readable): void {
  let discardedBytes = 0;
  incoming.on("data", (chunk: Buffer) => {
    discardedBytes += chunk.length;
    if (discardedBytes > MAX_DISCARDED_BYTES) incoming.pause();
  });
  incoming.resume();
}
