import { createHash } from "node:crypto";

/** @returns the 16 bytes of the MD5 */
export async function md5Of(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const hash = createHash("md5");
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest();
}
