import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { NEXT_EXAMPLES } from "../fixtures/a-next-app.js";
import { run } from "../fixtures/run.js";
import { readPages } from "./pages.js";

const PACKAGE = join(import.meta.dirname, "../..");
/** Inside this package, so that the examples can import its dependencies. Git ignores the folder. */
const FOLDER = join(PACKAGE, "test-results/docs");

const pages = await readPages();
const complete = pages.flatMap(({ page, blocks }) =>
  blocks.filter(({ isFragment }) => !isFragment).map((block) => ({ page, ...block })),
);

test("every example of the guides and readmes compiles as it is written", { timeout: 300_000 }, async () => {
  await rm(FOLDER, { recursive: true, force: true });
  const folderOf = (page: string) => page.replaceAll(/[/.]/g, "-");
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
  const origins = new Map<string, string>();
  for (const { page, path, language, line, code } of complete) {
    if (importsNext(code) || importsApp(code)) continue;
    // An example can import the other examples of its page by their paths.
    const file = join(folderOf(page), path ?? `line-${line}.${language}`);
    if (origins.has(file)) throw new Error(`${page} has two examples that begin with "// ${path}"`);
    origins.set(file, `${page}:${line}`);
    await mkdir(dirname(join(FOLDER, file)), { recursive: true });
    // The export makes each example a separate module.
    await writeFile(join(FOLDER, file), `${code}\nexport {};\n`);
  }
  await writeFile(
    join(FOLDER, "tsconfig.json"),
    JSON.stringify({ extends: "../../../../tsconfig.base.json", compilerOptions, include: ["."] }),
  );
  const output = await run(join(PACKAGE, "node_modules/.bin/tsc"), ["-p", "."], {
    cwd: FOLDER,
    timeoutMs: 290_000,
  }).catch(String);
  expect(origins.size).toBeGreaterThan(30);
  expect(withOrigins(output, origins)).toBe("");
});

test("every example that imports from Expo, React Native or Electron is one that `pnpm lab pages` compiles and runs", () => {
  const examples = complete.filter(({ code }) => importsApp(code)).map(({ page, path }) => `${page} ${path}`);
  expect(examples).toEqual([
    "docs/guides/electron.md main.ts",
    "docs/guides/react-native.md stowage/phone-file.ts",
    "docs/guides/react-native.md stowage/uploads.ts",
    "docs/guides/react-native.md app/upload.tsx",
  ]);
});

// Next is not a dependency of this package. next.slow.test.ts installs it, and Next compiles the examples there.
test("every example that imports from Next is built by Next", () => {
  const built = NEXT_EXAMPLES.map(([page, path]) => `${page} ${path}`);
  const examples = complete.filter(({ code }) => importsNext(code));
  expect(examples.length).toBeGreaterThan(0);
  expect(built).toEqual(expect.arrayContaining(examples.map(({ page, path }) => `${page} ${path}`)));
});

test("no example takes the tenant from a header other than the cookie", () => {
  const found = pages.flatMap(({ page, blocks }) =>
    blocks
      .filter(({ code }) => /tenant:[^\n]*(headers\.get\((?!"cookie"\))|headers\[|query|body)/.test(code))
      .map(({ line }) => `${page}:${line}`),
  );
  expect(found).toEqual([]);
});

// Next builds the page of the README in next.slow.test.ts. These are the rules that make the other examples work there.
test("an example that passes a function to the widget, or calls a hook, is a client component", () => {
  const needsClient = /\{\(?\w*\)? =>|\{\([^)]*\) =>|messages=|transport=|\buse[A-Z]\w+\(|createUploader/;
  const found = complete
    .filter(({ language, code }) => language === "tsx" && needsClient.test(code))
    .filter(({ code }) => !/^(\/\/.*\n)?"use client";/.test(code))
    .map(({ page, line }) => `${page}:${line}`);
  expect(found).toEqual([]);
});

function importsNext(code: string): boolean {
  return /from "next\//.test(code);
}

function importsApp(code: string): boolean {
  return /from "(expo-[\w-]+|react-native|electron)"/.test(code);
}

/** Replaces the file names of compiler errors by positions in the pages. */
function withOrigins(output: string, origins: ReadonlyMap<string, string>): string {
  return output.replaceAll(
    /^(\S+\.tsx?)\((\d+),/gm,
    (_, file: string, line: string) => `example at ${origins.get(file)}, its line ${line} (`,
  );
}
