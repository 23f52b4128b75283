import { MessageChannel, Worker } from "node:worker_threads";
import type { RunningMd5 } from "./running-md5.js";

let thread: Worker | undefined;

/**
 * Hashes on one thread that all large bodies share: MD5 takes longer than everything else that happens to a byte, and it cannot
 * be split. Blocks are handed over and come back, so that none is copied.
 */
export function startMd5OnThread(): RunningMd5 {
  const { port1: port, port2: itsPort } = new MessageChannel();
  thread ??= startThread();
  thread.postMessage(itsPort, [itsPort]);
  const waiting: { resolve: (answer: never) => void; reject: (error: unknown) => void }[] = [];
  let isClosed = false;
  // It answers in the order in which it is asked.
  port.on("message", (answer) => waiting.shift()?.resolve(answer as never));
  port.on("close", () => {
    isClosed = true;
    for (const { reject } of waiting) reject(new Error("The thread that hashes has ended."));
  });
  const ask = <Answer>(message: unknown, handedOver: ArrayBuffer[]): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (isClosed) throw new Error("The thread that hashes has ended.");
      waiting.push({ resolve, reject });
      port.postMessage(message, handedOver);
    });
  return {
    update: (block, bytes) => ask<ArrayBuffer>({ block, bytes }, [block]),
    digest: async () => Buffer.from(await ask<Uint8Array>(null, [])),
    close: () => port.close(),
  };
}

function startThread(): Worker {
  const started = new Worker(new URL("./md5-thread.mjs", import.meta.url));
  started.unref(); // it must not keep a process alive that has nothing else to do
  // The ports that it held close with it; the next large body starts another.
  started.on("error", () => {}).on("exit", () => (thread = undefined));
  return started;
}
