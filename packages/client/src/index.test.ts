import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import * as api from "./index.js";

test("exports these names and no others", () => {
  expect(Object.keys(api).sort()).toEqual([
    "UploadError",
    "canPause",
    "createFilesStore",
    "createFolderStore",
    "createHttpTransport",
    "createImageLoader",
    "createUploadClient",
    "createUploadStore",
    "defaultUploadClient",
    "isActive",
    "sourceOf",
    "toSrcSet",
  ]);
});

test("imports at run time only a few small libraries, and the schemas without zod", async () => {
  const names = await readdir(import.meta.dirname, { recursive: true });
  const sources = names.filter((name) => /\.tsx?$/.test(name) && !name.includes(".test."));
  const texts = await Promise.all(sources.map((name) => readFile(`${import.meta.dirname}/${name}`, "utf8")));
  const imported = texts.flatMap((text) =>
    Array.from(
      text.matchAll(/^(?:import|export) (?!type )[^;]*? from "([^."][^"]*)";/gm),
      (match) => match[1],
    ),
  );
  expect([...new Set(imported)].sort()).toEqual([
    "@noble/hashes/legacy.js",
    "@noble/hashes/sha2.js",
    "@noble/hashes/utils.js",
    "@stowage/schemas/errors",
    "@stowage/schemas/page-rules",
    "@stowage/schemas/rules",
    // Bundled into the worker.
    "hash-wasm",
    "idb",
  ]);
});
