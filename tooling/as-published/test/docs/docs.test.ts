import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { run } from "../fixtures/run.js";
import { codeBlocks } from "./code-blocks.js";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const PACKAGE = join(ROOT, "tooling/as-published");
/** Inside this package, so that the examples can import its dependencies. Git ignores the folder. */
const FOLDER = join(PACKAGE, "test-results/docs");

const guides = (await readdir(join(ROOT, "docs")))
  .filter((name) => name.endsWith(".md"))
  .map((name) => `docs/${name}`);
const PAGES = [
  "README.md",
  ...guides,
  "packages/schemas/README.md",
  "packages/server/README.md",
  "packages/react/README.md",
];

test("every complete example of the guides and readmes compiles", { timeout: 120_000 }, async () => {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  const compilerOptions = {
    module: "esnext",
    moduleResolution: "bundler",
    types: ["node"],
    lib: ["es2023", "es2024.string", "dom", "dom.iterable"],
    jsx: "react-jsx",
    customConditions: ["source"],
    noEmit: true,
    // Most readers use less strict settings than this repository.
    noUnusedLocals: false,
    noUnusedParameters: false,
  };
  await writeFile(
    join(FOLDER, "tsconfig.json"),
    JSON.stringify({
      extends: "../../../../tsconfig.base.json",
      compilerOptions,
      include: [".", "../../test/docs/reader-code.d.ts"],
    }),
  );
  const origins = new Map<string, string>();
  for (const page of PAGES) {
    for (const { language, line, code } of codeBlocks(await readFile(join(ROOT, page), "utf8"))) {
      const file = `${page.replaceAll(/[/.]/g, "-")}-${line}.${language}`;
      origins.set(file, `${page}:${line}`);
      // The export makes each example a separate module.
      await writeFile(join(FOLDER, file), `${code}\nexport {};\n`);
    }
  }
  const output = await run(join(PACKAGE, "node_modules/.bin/tsc"), ["-p", "."], {
    cwd: FOLDER,
    timeoutMs: 110_000,
  }).catch(String);
  expect(origins.size).toBeGreaterThan(0);
  expect(withOrigins(output, origins)).toBe("");
});

/** Replaces the file names of compiler errors by positions in the pages. */
function withOrigins(output: string, origins: ReadonlyMap<string, string>): string {
  return output.replaceAll(
    /^([\w-]+\.tsx?)\((\d+),/gm,
    (_, file: string, line: string) => `example at ${origins.get(file)}, its line ${line} (`,
  );
}
