import { md5 } from "@noble/hashes/legacy.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { Hash } from "./hash-blob.js";

/** MD5 without WebAssembly, which some content security policies forbid. A fifth as fast. */
export function createJavaScriptMd5(): Hash {
  const hash = md5.create();
  return { update: (bytes) => hash.update(bytes), digestHex: () => bytesToHex(hash.digest()) };
}
