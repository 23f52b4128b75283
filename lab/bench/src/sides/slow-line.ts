import { connect, createServer, type Socket } from "node:net";
import { listen } from "./listen.js";

/*
 * A slow line to the server at `TARGET_PORT`: every chunk is held back, each connection has a limit of bytes in flight, and is cut
 * after a random number of bytes. The kernel of most machines could do this too (tc netem), but not of this one.
 */

/** Each way: with 50 ms, a round trip takes 100 ms. */
const DELAY_MS = Number(process.env["DELAY_MS"]);
/** In one direction of one connection. With a delay of 50 ms, it carries 2.5 MiB/s at most. */
const WINDOW_BYTES = 256 * 1024;
/** What one read of a socket returns at most. */
const CHUNK_BYTES = 64 * 1024;
/** The mean of an exponential distribution. */
const MEAN_BYTES_BEFORE_CUT = 20e6;

let random = seeded(1);
const clients = new Set<Socket>();

/** A message `{ seed }` starts the series of cuts from the beginning, so that every side meets the same one. */
process.on("message", ({ seed }: { seed: number }) => {
  random = seeded(seed);
  for (const client of clients) client.destroy();
  process.send!({ seed });
});

listen(
  createServer({ noDelay: true }, (client) => {
    const target = connect({ host: "127.0.0.1", port: Number(process.env["TARGET_PORT"]), noDelay: true });
    let bytesLeft = -Math.log(1 - random()) * MEAN_BYTES_BEFORE_CUT;
    carry(client, target, (bytes) => {
      bytesLeft -= bytes;
      if (bytesLeft <= 0) client.resetAndDestroy();
    });
    carry(target, client, () => undefined);
    clients.add(client);
    client.on("close", () => {
      clients.delete(client);
      target.destroy();
    });
    target.on("close", () => client.destroy());
    for (const socket of [client, target]) socket.on("error", () => socket.destroy());
  }),
);

/** Bytes are in flight until they have arrived and the sender knows it. */
function carry(from: Socket, to: Socket, onBytes: (bytes: number) => void): void {
  let inFlight = 0;
  from.on("data", (chunk: Buffer) => {
    onBytes(chunk.length);
    inFlight += chunk.length;
    if (inFlight > WINDOW_BYTES - CHUNK_BYTES) from.pause();
    setTimeout(() => {
      if (!to.destroyed) to.write(chunk);
      setTimeout(() => {
        inFlight -= chunk.length;
        if (inFlight <= WINDOW_BYTES - CHUNK_BYTES) from.resume();
      }, DELAY_MS);
    }, DELAY_MS);
  });
  from.on("end", () => setTimeout(() => to.end(), DELAY_MS));
}

/** Mulberry32, which returns numbers from 0 to 1. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
