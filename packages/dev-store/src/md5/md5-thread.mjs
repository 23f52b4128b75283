// The thread that hashes large bodies: see md5-on-thread.ts. Plain JavaScript, since Node starts this file itself, in tests too.
import { createHash } from "node:crypto";
import { parentPort } from "node:worker_threads";

/** Each hash has a port of its own: a block comes, and goes back when it is hashed; null is answered by the digest. */
parentPort.on("message", (port) => {
  const hash = createHash("md5");
  port.on("message", (message) => {
    if (message === null) {
      port.postMessage(hash.digest());
      return;
    }
    const { block, bytes } = message;
    hash.update(new Uint8Array(block, 0, bytes));
    port.postMessage(block, [block]);
  });
});
