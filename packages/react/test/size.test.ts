import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { bundleForPage } from "@stowage/bundle";
import { expect, test } from "vitest";

const KB = 1000;
const MAX_STYLES_BYTES = 4 * KB;

// What UploadThing 7 takes. The rest is loaded after the first view (docs/decisions/0008). The hook has the name of each call,
// also of those for versions, and imports their code with the first one: 12.5 kB since then.
test.each([
  ["useUpload", 12.5 * KB],
  ["UploadDropzone", 20 * KB],
])("%s is smaller than %i bytes of gzip, without React", async (name, maxBytes) => {
  const { gzipBytes } = await bundleForPage({
    code: `export { ${name} } from "./src/index.js";`,
    folder: fileURLToPath(new URL("..", import.meta.url)),
    fromSource: true,
  });
  console.log(`${name}: ${gzipBytes} of ${maxBytes} bytes`);
  expect(gzipBytes).toBeLessThan(maxBytes);
});

test("the hook loads the code for parts on demand", async () => {
  const folder = fileURLToPath(new URL("..", import.meta.url));
  const { code } = await bundleForPage({
    code: 'export { useUpload } from "./src/index.js";',
    folder,
    fromSource: true,
  });
  // Only this code reads the number of parts.
  expect(code).not.toContain("part_count");
});

test.each([
  // The list of stored files, the grid, and the decoder of the placeholders. 40 bytes keep it whole in a page that is translated. The list
  // has share links and versions, for 370 bytes: fewer than three hundred of them would become a request of their own.
  ["FileGrid", 11.5 * KB],
  // The widget without its area, and what the grid has too.
  ["UploadAvatar", 29 * KB],
])("%s is smaller than %i bytes of gzip, and no code of it is in the hook", async (name, maxBytes) => {
  const page = (code: string) =>
    bundleForPage({
      code,
      folder: fileURLToPath(new URL("..", import.meta.url)),
      fromSource: true,
    });
  const { code, gzipBytes } = await page(`export { ${name} } from "./src/images/index.js";`);
  console.log(`${name}: ${gzipBytes} of ${maxBytes} bytes`);
  expect(gzipBytes).toBeLessThan(maxBytes);
  // Only these parts have this class.
  expect(code).toContain("stowage-frame");
  expect((await page('export { UploadDropzone, useFiles } from "./src/index.js";')).code).not.toContain(
    "stowage-frame",
  );
});

// The list of stored files, folders with their jobs, and the library that renders only near rows. The code that follows a job is no chunk of
// its own: that would cost every page about 250 bytes, because esbuild then shares smaller chunks.
test("FileBrowser is smaller than 27.5 kB of gzip, without React", async () => {
  const maxBytes = 27.5 * KB;
  const { gzipBytes } = await bundleForPage({
    code: 'export { FileBrowser } from "./src/browser/index.js";',
    folder: fileURLToPath(new URL("..", import.meta.url)),
    fromSource: true,
  });
  console.log(`FileBrowser: ${gzipBytes} of ${maxBytes} bytes`);
  expect(gzipBytes).toBeLessThan(maxBytes);
});

test.each(["images.css", "browser.css"])("%s is smaller than 2 kB of gzip", async (name) => {
  const css = await readFile(new URL(`../${name}`, import.meta.url));
  const bytes = gzipSync(css, { level: 9 }).length;
  console.log(`${name}: ${bytes} of ${2 * KB} bytes`);
  expect(bytes).toBeLessThan(2 * KB);
});

test("styles.css is smaller than 4 kB of gzip", async () => {
  const css = await readFile(new URL("../styles.css", import.meta.url));
  const bytes = gzipSync(css, { level: 9 }).length;
  console.log(`styles.css: ${bytes} of ${MAX_STYLES_BYTES} bytes`);
  expect(bytes).toBeLessThan(MAX_STYLES_BYTES);
});
