import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { bundleForPage } from "@stowage/bundle";
import { expect, test } from "vitest";
import { renderStyles } from "../scripts/render-styles.mjs";

// The dropzone of React takes 20 kB without React and its 4 kB of styles. Lit takes 6 kB. The rows, which React's pages load after the
// first view, take 4 kB. Previews, the pickers for folders and cameras and the start of the long list take 1.5 kB.
const MAX_BYTES = 36_000;
const MAX_LONG_LIST_BYTES = 11_000;

test("the element is smaller than 36 kB of gzip, with Lit and its styles", async () => {
  const { gzipBytes } = await bundleForPage({
    code: 'import "./src/index.js";',
    folder: fileURLToPath(new URL("..", import.meta.url)),
    fromSource: true,
  });
  console.log(`stowage-dropzone: ${gzipBytes} of ${MAX_BYTES} bytes`);
  expect(gzipBytes).toBeLessThan(MAX_BYTES);
});

test("the code for long lists, which is loaded later, is smaller than 11 kB of gzip", async () => {
  const { gzipBytes } = await bundleForPage({
    code: 'export * from "./src/list/row-window.js";',
    folder: fileURLToPath(new URL("..", import.meta.url)),
    fromSource: true,
  });
  console.log(`long lists: ${gzipBytes} of ${MAX_LONG_LIST_BYTES} bytes`);
  expect(gzipBytes).toBeLessThan(MAX_LONG_LIST_BYTES);
});

test("its styles are the same as in the widget's style sheet", async () => {
  const read = (path: string) => readFile(fileURLToPath(import.meta.resolve(path)), "utf8");
  expect(await read("../src/dropzone-styles.ts")).toBe(renderStyles(await read("../../react/styles.css")));
});
