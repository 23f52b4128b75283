import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { imageDecoder } from "#paths.js";

const DIST = dirname(imageDecoder);
const bundle = new Map(
  readdirSync(DIST)
    .filter((file) => file.endsWith(".js"))
    .map((file) => [file, readFileSync(join(DIST, file), "utf8")]),
);

/** The files of the bundle that a program loads at some time. */
function reachableFrom(entry: string, found = new Set<string>()): Set<string> {
  if (found.has(entry)) return found;
  found.add(entry);
  const code = bundle.get(entry) ?? "";
  for (const [, file] of code.matchAll(/(?:from|import\(?)\s*"\.\/([^"]+\.js)"/g))
    reachableFrom(file!, found);
  return found;
}

const importsDecoder = (file: string) =>
  /(?:from|import\(?|require\w*\()\s*"(?:sharp|libheif-js\/[\w./-]+|@jsquash\/[\w./-]+|@embedpdf\/pdfium[\w./-]*)"/.test(
    bundle.get(file) ?? "",
  );

test("only the image decoder loads sharp, libheif and PDFium: not the service, and not the worker that starts it", () => {
  expect([...bundle.keys()].filter(importsDecoder)).toEqual(["image-decoder.js"]);
  for (const entry of ["main.js", "cli.js"]) {
    const files = reachableFrom(entry);
    expect(files.size).toBeGreaterThan(10);
    expect(files).not.toContain("image-decoder.js");
  }
});
