import type { Cancel, Runtime } from "../runtime.js";
import { createMd5Worker } from "./create-md5-worker.js";
import { isSource } from "../upload/source-file.js";
import { hashSlices } from "./hash-blob.js";
import type { Md5Answer } from "./md5-worker.js";

/** Computes MD5s of blobs until it is closed. */
export interface Md5Hasher {
  /**
   * @returns lower-case hex
   * @throws the browser's error if the file cannot be read any more, and after `close`
   */
  md5Of(blob: Blob): Promise<string>;
  close(): void;
}

interface Waiting {
  blob: Blob;
  resolve(md5: string | Promise<string>): void;
  reject(cause: unknown): void;
}

/** The longest time for the worker to start. */
const START_MS = 5_000;

/**
 * Hashes in a Web Worker. Where there is none, it hashes on the main thread, in slices that delay no frame: a content security
 * policy (`worker-src`) may forbid the worker, its file may be on another origin, or a bundler may have lost it.
 */
export function createMd5Hasher(
  runtime: Pick<Runtime, "after">,
  createWorker: () => Worker = createMd5Worker,
): Md5Hasher {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let isClosed = false;
  let worker: Worker | null = null;
  const started = startWorker(runtime, createWorker).then((running) => {
    if (isClosed) running?.terminate();
    worker = running;
    worker?.addEventListener("message", ({ data }: MessageEvent<Md5Answer>) => receive(data));
    worker?.addEventListener("error", giveUpWorker);
  });

  function receive(answer: Md5Answer) {
    if (answer.type === "ready") return;
    const job = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (answer.type === "hashed") job?.resolve(answer.md5);
    else job?.reject(new DOMException(answer.message, answer.name));
  }

  /** It has crashed, for example because the browser has no memory left for it, and answers no more. */
  function giveUpWorker() {
    worker = null;
    for (const { blob, resolve } of waiting.values()) resolve(hashHere(blob));
    waiting.clear();
  }

  return {
    async md5Of(blob) {
      await started;
      if (isClosed) throw closed();
      if (!worker || isSource(blob)) return hashHere(blob);
      const id = ++lastId;
      const hash = new Promise<string>((resolve, reject) => waiting.set(id, { blob, resolve, reject }));
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
      worker.postMessage({ id, blob });
      return hash;
    },
    close() {
      isClosed = true;
      worker?.terminate();
      for (const { reject } of waiting.values()) reject(closed());
      waiting.clear();
    },
  };
}

const closed = () => new DOMException("The hasher was closed", "AbortError");

async function hashHere(blob: Blob): Promise<string> {
  const { createJavaScriptMd5 } = await import("./javascript-md5.js");
  return hashSlices(blob, createJavaScriptMd5());
}

/** @returns null if the worker does not start */
function startWorker(runtime: Pick<Runtime, "after">, createWorker: () => Worker): Promise<Worker | null> {
  return new Promise((resolve) => {
    let worker: Worker;
    try {
      worker = createWorker();
    } catch {
      return resolve(null);
    }
    let cancelTimeout: Cancel = () => {};
    const fail = () => {
      cancelTimeout();
      worker.terminate();
      resolve(null);
    };
    cancelTimeout = runtime.after(START_MS, fail);
    worker.addEventListener("error", (event) => {
      // It would be reported as an error of the page.
      event.preventDefault();
      fail();
    });
    worker.addEventListener(
      "message",
      () => {
        cancelTimeout();
        resolve(worker);
      },
      { once: true },
    );
  });
}
