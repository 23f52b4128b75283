import { readFileSync } from "node:fs";
import type { DecodeRequest, Started } from "./protocol.js";
import { selfTests } from "./self-test.js";
import { restrictDecoders, transform } from "./transform.js";
import { canAllocate } from "./free-memory.js";

/*
 * The process that decodes images for `stowage worker`. It has no settings, no key and no connection: only bytes come in, and bytes go out.
 * Its argument is the memory, in bytes, that it must not get. It then tells whether the system keeps it from that.
 */

const [forbiddenBytes] = process.argv.slice(2).map(Number);

restrictDecoders();
const started: Started = {
  problem: await findProblem(),
  dataBytes: readDataBytes(),
  isMemoryLimited: forbiddenBytes === undefined ? null : !canAllocate(forbiddenBytes),
};
process.on("message", (request: DecodeRequest) => {
  void transform(request).then((answer) => process.send?.(answer));
});
// If the worker dies, this process must end too.
process.once("disconnect", () => process.exit());
process.send?.(started);

/** Makes a known good image in each format. Returns why it cannot, or null. */
async function findProblem(): Promise<string | null> {
  for (const test of selfTests) {
    const answer = await transform(test);
    if (answer.ok !== true) return `${test.parameters.format} of a known good image: ${answer.reason}`;
  }
  return null;
}

/** What RLIMIT_DATA counts. Null: the system does not say. */
function readDataBytes(): number | null {
  try {
    const [, kilobytes] = /^VmData:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  } catch {
    return null;
  }
}
