import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { compressFiles } from "../compress-files.mjs";

const TEXT = "a line of text\n".repeat(200);

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "stowage-compressed-"))));
afterEach(() => rm(folder, { recursive: true }));

test("writes two copies of each text file, in all folders", async () => {
  await mkdir(join(folder, "errors"));
  await writeFile(join(folder, "errors/index.html"), TEXT);
  await compressFiles(folder);
  const copy = (ending: string) => readFile(join(folder, `errors/index.html.${ending}`));
  expect(brotliDecompressSync(await copy("br")).toString()).toBe(TEXT);
  expect(gunzipSync(await copy("gz")).toString()).toBe(TEXT);
});

test("leaves pictures, and files that compression makes larger, as they are", async () => {
  await writeFile(join(folder, "widget.png"), TEXT);
  await writeFile(join(folder, "llms.txt"), "short");
  await compressFiles(folder);
  expect((await readdir(folder)).toSorted()).toEqual(["llms.txt", "widget.png"]);
});
