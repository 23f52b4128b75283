import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import * as api from "./index.js";

it("offers these names and no others", () => {
  expect(Object.keys(api).sort()).toEqual(["UploadDropzone", "useUpload"]);
});

it("brings nothing into a page but React and react-dropzone", async () => {
  const names = await readdir(import.meta.dirname, { recursive: true });
  const sources = names.filter((name) => /\.tsx?$/.test(name) && !name.includes(".test."));
  const texts = await Promise.all(sources.map((name) => readFile(`${import.meta.dirname}/${name}`, "utf8")));
  const imported = texts.flatMap((text) =>
    Array.from(
      text.matchAll(/^(?:import|export) (?!type )[^;]*? from "([^."][^"]*)";/gm),
      (match) => match[1],
    ),
  );
  expect([...new Set(imported)].sort()).toEqual(["react", "react-dropzone"]);
});
