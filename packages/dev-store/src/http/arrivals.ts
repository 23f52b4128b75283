import { on } from "node:events";
import type { IncomingMessage } from "node:http";

/** How many arrivals, of up to 64 KiB each, may wait before the socket is stopped. */
const MAX_WAITING = 8;

/**
 * A body as it arrives. The message's own iterator holds one arrival and then stops the socket, sixteen thousand times a GiB;
 * here it is stopped when the reader is some arrivals behind.
 *
 * Leaving the loop early leaves the socket alone: the refusal still has to go out over it.
 *
 * @throws what broke the message off
 */
export async function* arrivals(message: IncomingMessage): AsyncGenerator<Buffer, void, undefined> {
  if (message.destroyed) throw message.errored ?? new Error("The client has left.");
  const options = { close: ["end"], highWaterMark: MAX_WAITING, lowWaterMark: 1 };
  for await (const [arrival] of on(message, "data", options)) yield arrival as Buffer;
}
