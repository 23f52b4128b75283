import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import * as api from "./index.js";

test("exports these names and no others", () => {
  expect(Object.keys(api).sort()).toEqual([
    "Upload",
    "UploadButton",
    "UploadDropzone",
    "UploadError",
    "createHttpTransport",
    "createUploadClient",
    "createUploader",
    "defaultUploadClient",
    "useFiles",
    "useUpload",
  ]);
});

test("imports at run time only React and a few small libraries, and the schemas without zod", async () => {
  const names = await readdir(import.meta.dirname, { recursive: true });
  const sources = names.filter((name) => /\.tsx?$/.test(name) && !name.includes(".test."));
  const texts = await Promise.all(sources.map((name) => readFile(`${import.meta.dirname}/${name}`, "utf8")));
  const imported = texts.flatMap((text) =>
    Array.from(
      text.matchAll(/^(?:import|export) (?!type )[^;]*? from "([^."][^"]*)";/gm),
      (match) => match[1],
    ),
  );
  const known = new Set(imported.map((name = "") => name.replace(/^(@stowage\/client)\/.*/, "$1")));
  expect([...known].sort()).toEqual([
    "@stowage/client",
    "@stowage/schemas/page-rules",
    "@tanstack/react-virtual",
    "react",
    "thumbhash",
  ]);
});

test("offers every language of the client", async () => {
  const namesIn = async (folder: string) =>
    (await readdir(`${import.meta.dirname}/${folder}`)).filter((name) =>
      /^[a-z]{2}(-[A-Z]+)?\.ts$/.test(name),
    );
  expect(await namesIn("locales")).toEqual(await namesIn("../../client/src/locales"));
});
