import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** Writes a .br and a .gz copy of each text file, so that the service need not compress at request time. */
export function compressed(): Plugin {
  let dir = "";
  return {
    name: "compressed",
    apply: "build",
    configResolved: ({ root, build }) => void (dir = join(root, build.outDir)),
    closeBundle() {
      const files = readdirSync(dir, { recursive: true, encoding: "utf8" })
        .map((name) => join(dir, name))
        .filter((path) => /\.(js|css|html|svg)$/.test(path) && statSync(path).isFile());
      for (const path of files) {
        const bytes = readFileSync(path);
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
        writeFileSync(
          `${path}.br`,
          brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
        );
      }
    },
  };
}
