import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { bundleForPage } from "@stowage/bundle";
import { trimDropzone } from "@stowage/dropzone";
import { expect, test } from "vitest";

const KB = 1000;
const MAX_STYLES_BYTES = 4 * KB;

test.each([
  // Of these, 0.5 kB tell apart why a call gets no answer, 1 kB discards unfinished uploads, and 0.6 kB decide whether there are
  // uploads to continue; the code that continues them is loaded then.
  ["useUpload", 14 * KB],
  // Of these, 1.5 kB are the order of the rows and the loading of the code for lists of 100 files and more.
  ["UploadDropzone", 24 * KB],
])("%s is smaller than %i bytes of gzip, with react-dropzone and without React", async (name, maxBytes) => {
  const { gzipBytes } = await bundleForPage({
    code: `export { ${name} } from "./src/index.js";`,
    folder: fileURLToPath(new URL("..", import.meta.url)),
    fromSource: true,
    // The build uses the same plugin, see scripts/bundle-dropzone.mjs.
    plugins: [trimDropzone()],
  });
  console.log(`${name}: ${gzipBytes} of ${maxBytes} bytes`);
  expect(gzipBytes).toBeLessThan(maxBytes);
});

test("styles.css is smaller than 4 kB of gzip", async () => {
  const css = await readFile(new URL("../styles.css", import.meta.url));
  const bytes = gzipSync(css, { level: 9 }).length;
  console.log(`styles.css: ${bytes} of ${MAX_STYLES_BYTES} bytes`);
  expect(bytes).toBeLessThan(MAX_STYLES_BYTES);
});
