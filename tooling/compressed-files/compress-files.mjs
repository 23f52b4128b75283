import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const TEXT = /\.(js|css|html|svg|md|txt|json)$/;
/** Node compresses in its pool of four threads. */
const AT_THE_SAME_TIME = 4;

export async function compressFiles(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const waiting = entries
    .filter((entry) => entry.isFile() && TEXT.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name));
  const worker = async () => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) await compressFile(path);
  };
  await Promise.all(Array.from({ length: AT_THE_SAME_TIME }, worker));
}

async function compressFile(path) {
  const bytes = await readFile(path);
  const best = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params: best }),
    promisify(gzip)(bytes, { level: 9 }),
  ]);
  // A page loads dozens of small chunks, so their copies count too, but not copies that are larger than their file.
  if (gz.length < bytes.length) await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
}
