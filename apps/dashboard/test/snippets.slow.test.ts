import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import {
  curlSnippet,
  frameworks,
  helperSnippet,
  installHelperSnippet,
  installWidgetSnippet,
  widgetSnippet,
} from "../src/features/overview/quickstart/snippets.js";

const PACKAGE = join(import.meta.dirname, "..");
/** Inside this package, so that the snippets resolve its dependencies. Ignored by git. */
const FOLDER = join(PACKAGE, "test-results/snippets");
const SERVICE_URL = "https://files.example.com";

test("the snippets for backend and frontend compile", { timeout: 900_000 }, async () => {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  const compilerOptions = {
    module: "esnext",
    moduleResolution: "bundler",
    types: ["node"],
    jsx: "react-jsx",
    customConditions: ["source"],
    declaration: false,
    declarationMap: false,
    noEmit: true,
    lib: ["es2023", "es2024.string", "dom", "dom.iterable"],
    // Most readers use less strict settings than this repository.
    noUnusedParameters: false,
  };
  const files = [
    [
      "tsconfig.json",
      JSON.stringify({ extends: "../../../../tsconfig.base.json", compilerOptions, include: ["."] }),
    ],
    ["widget.tsx", widgetSnippet],
    ...frameworks.map((name) => [`${name}.ts`, helperSnippet(name, SERVICE_URL)] as const),
  ] as const;
  for (const [name, text] of files) await writeFile(join(FOLDER, name), text);
  const tsc = join(PACKAGE, "node_modules/.bin/tsc");
  const output = await promisify(execFile)(tsc, ["-p", "."], { cwd: FOLDER, timeout: 290_000 }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
  expect(output).toBe("");
});

test("snippets for the backend contain the address of the service and the name of the key's variable", () => {
  for (const text of [
    curlSnippet(SERVICE_URL),
    ...frameworks.map((name) => helperSnippet(name, SERVICE_URL)),
  ]) {
    expect(text).toContain(SERVICE_URL);
    expect(text).toContain("STOWAGE_API_KEY");
  }
  // The frontend must know neither.
  expect(widgetSnippet).not.toMatch(/KEY|https?:/);
});

test("the install commands contain every imported package", () => {
  for (const [install, code] of [
    [installWidgetSnippet, widgetSnippet],
    ...frameworks.map((name) => [installHelperSnippet(name), helperSnippet(name, SERVICE_URL)] as const),
  ] as const) {
    const imported = [...code.matchAll(/ from "((?:@\w+\/)?\w+)/g)].map(([, name]) => name!);
    expect(imported.length).toBeGreaterThan(0);
    for (const name of imported) expect(install.split(" ")).toContain(name);
  }
});
