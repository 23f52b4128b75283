import { createMD5 } from "hash-wasm";
import { type Hash, hashStream } from "./hash-blob.js";
import { createJavaScriptMd5 } from "./javascript-md5.js";

/*
 * Runs in a Web Worker. The build puts everything that it imports into one file, because a worker does not see the import
 * maps of its page.
 */

/** Asks for the MD5 of a blob. */
export interface Md5Request {
  id: number;
  blob: Blob;
}

/** `ready` comes once, when the worker has started. `failed` has the browser's error. */
export type Md5Answer =
  | { type: "ready" }
  | { type: "hashed"; id: number; md5: string }
  | { type: "failed"; id: number; name: string; message: string };

const answer = (message: Md5Answer) => postMessage(message);

async function createMd5(): Promise<Hash> {
  const hash = await createMD5().catch(() => null);
  if (!hash) return createJavaScriptMd5();
  hash.init();
  return { update: (bytes) => hash.update(bytes), digestHex: () => hash.digest() };
}

addEventListener("message", async ({ data: { id, blob } }: MessageEvent<Md5Request>) => {
  try {
    answer({ type: "hashed", id, md5: await hashStream(blob, await createMd5()) });
  } catch (cause) {
    const { name, message } = cause as Error;
    answer({ type: "failed", id, name, message });
  }
});
answer({ type: "ready" });
