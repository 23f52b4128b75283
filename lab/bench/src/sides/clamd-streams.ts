import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { createObjectClient } from "@stowage/service/object-store/object-client";
import type { Store } from "../processes/start-dev-store.js";

/** Files that clamd scans over kept sessions, and nothing else. */
export interface StreamsWanted {
  clamdPort: number;
  sessions: number;
  count: number;
  /** The file is sent from memory, or read from storage each time. */
  source: { path: string } | { store: Store; keys: string[] };
}

const TIMEOUT_MS = 120_000;
const CHUNK_BYTES = 256 * 1024;
type Read = (number: number) => Promise<AsyncIterable<Buffer>>;

process.on("message", (wanted: StreamsWanted) => {
  void scanAll(wanted).then((seconds) => process.send!({ seconds }));
});
process.on("disconnect", () => process.exit());
process.on("SIGTERM", () => process.exit());
process.send!({});

async function scanAll({ clamdPort, sessions, count, source }: StreamsWanted): Promise<number> {
  const read =
    "path" in source ? fromMemory(await readFile(source.path)) : fromStore(source.store, source.keys);
  let started = 0;
  const startedAt = performance.now();
  const session = async () => {
    const socket = connect({ port: clamdPort, host: "127.0.0.1", noDelay: true });
    await once(socket, "connect");
    socket.write("zIDSESSION\0");
    for (let number = started++; number < count; number = started++) await scan(socket, await read(number));
    socket.destroy();
  };
  await Promise.all(Array.from({ length: sessions }, session));
  return (performance.now() - startedAt) / 1000;
}

function fromMemory(bytes: Buffer): Read {
  return async () =>
    (async function* () {
      for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
    })();
}

function fromStore({ endpoint, region, bucket, ...credentials }: Store, keys: string[]): Read {
  const client = createObjectClient({ endpoint, region, bucket, credentials, timeoutMs: TIMEOUT_MS });
  return async (number) => (await client.read(keys[number]!, AbortSignal.timeout(TIMEOUT_MS)))!.body;
}

/** @throws {Error} unless clamd calls the bytes clean */
async function scan(socket: Socket, bytes: AsyncIterable<Buffer>): Promise<void> {
  socket.write("zINSTREAM\0");
  for await (const chunk of bytes) {
    socket.cork();
    socket.write(lengthOf(chunk.length));
    const isFree = socket.write(chunk);
    socket.uncork();
    if (!isFree) await once(socket, "drain");
  }
  const answered = once(socket, "data");
  socket.write(lengthOf(0));
  const answer = String((await answered)[0]);
  if (!answer.endsWith(": stream: OK\0")) throw new Error(`clamd answered ${answer}`);
}

function lengthOf(length: number): Buffer {
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32BE(length);
  return prefix;
}
