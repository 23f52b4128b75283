import { fileURLToPath } from "node:url";
import { bundleForPage } from "@stowage/bundle";
import { expect, test } from "vitest";

const KB = 1000;

/** What a page loads first, built from the source. */
const bundled = (code: string) =>
  bundleForPage({ code, folder: fileURLToPath(new URL("..", import.meta.url)), fromSource: true });

test("createUploadStore is smaller than 11.1 kB of gzip, and loads the code for parts on demand", async () => {
  const { code, gzipBytes } = await bundled('export { createUploadStore } from "./src/index.js";');
  console.log(`createUploadStore: ${gzipBytes} of ${11.1 * KB} bytes`);
  expect(gzipBytes).toBeLessThan(11.1 * KB);
  // Only this code reads the number of parts.
  expect(code).not.toContain("part_count");
});

test("the code for parts is a chunk of its own, smaller than 5.6 kB of gzip with what it shares with the list", async () => {
  const { code, gzipBytes } = await bundled(
    'export { uploadByParts } from "./src/upload/parts/upload-by-parts.js";',
  );
  console.log(`parts: ${gzipBytes} of ${5.6 * KB} bytes`);
  expect(gzipBytes).toBeLessThan(5.6 * KB);
  expect(code).toContain("part_count");
});
