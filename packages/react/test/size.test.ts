import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { bundleForPage } from "@stowage/bundle";
import { trimDropzone } from "@stowage/dropzone";
import { expect, it } from "vitest";

const KB = 1000;

it.each([
  ["useUpload", 7 * KB],
  ["UploadDropzone", 15 * KB],
])("%s costs a page at most %i bytes, react-dropzone included, React not", async (name, budgetBytes) => {
  const { gzipBytes } = await bundleForPage({
    code: `export { ${name} } from "./src/index.js";`,
    folder: fileURLToPath(new URL("..", import.meta.url)),
    unbuilt: true,
    // As the build does (scripts/bundle-gestures.mjs).
    plugins: [trimDropzone()],
  });
  console.log(`${name}: ${gzipBytes} of ${budgetBytes} bytes`);
  expect(gzipBytes).toBeLessThan(budgetBytes);
});

it("styles.css costs a page at most 3 kB", async () => {
  const css = await readFile(new URL("../styles.css", import.meta.url));
  const bytes = gzipSync(css, { level: 9 }).length;
  console.log(`styles.css: ${bytes} of ${3 * KB} bytes`);
  expect(bytes).toBeLessThan(3 * KB);
});
