import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, inject, test } from "vitest";
import { declaredEntries, LIBRARIES, readManifest } from "./fixtures/published.js";
import { run } from "./fixtures/run.js";

/*
 * What docs/helper.md says under "What your app needs".
 */
const { react19 } = inject("customers");
const binOf = (typescript: string) =>
  join(dirname(createRequire(import.meta.url).resolve(`${typescript}/package.json`)), "bin/tsc");

test("require() in a CommonJS module loads every entry point", async () => {
  const ids: string[] = [];
  // These register the element and type its tag, and export no values.
  const isForTag = (id: string) => /^@stowage\/element\/(preact|react|svelte|vue)$/.test(id);
  for (const name of LIBRARIES) {
    const folder = join(react19, "node_modules/@stowage", name);
    const manifest = await readManifest(folder);
    const entries = await declaredEntries(manifest, folder);
    ids.push(...entries.map(({ subpath }) => join(manifest.name, subpath)));
  }
  const isEmpty = `Object.keys(require(id)).length === 0`;
  const code = `
    for (const id of ${JSON.stringify(ids.filter((id) => !isForTag(id)))}) if (${isEmpty}) throw id;
    for (const id of ${JSON.stringify(ids.filter(isForTag))}) if (!(${isEmpty})) throw id;`;
  const output = await run(process.execPath, ["--input-type=commonjs", "-e", code], {
    cwd: react19,
    timeoutMs: 120_000,
  });
  expect(output).toBe("");
});

type Case = [typescript: string, module: string, moduleResolution: string, error: string, further?: object];

/** TypeScript 7 has no `node10`. */
test.each<Case>([
  ["typescript", "nodenext", "nodenext", ""],
  // `tsc --init` of TypeScript 7 sets this.
  ["typescript", "nodenext", "nodenext", "error TS1295", { verbatimModuleSyntax: true }],
  ["typescript", "node20", "node16", ""],
  ["typescript", "esnext", "bundler", ""],
  ["typescript", "node18", "node16", "error TS1479"],
  ["typescript", "node16", "node16", "error TS1479"],
  [
    "typescript-5",
    "commonjs",
    "node10",
    "error TS2307: Cannot find module '@stowage/server'",
    { lib: ["es2023"], types: [] }, // TypeScript 5 reads the types of browsers and Node for seconds
  ],
])(
  "a CommonJS package compiled by %s with module %s and moduleResolution %s gets: %j",
  async (typescript, module, moduleResolution, error, further = {}) => {
    const folder = join(react19, "commonjs", [module, moduleResolution, ...Object.keys(further)].join("-"));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "package.json"), JSON.stringify({ type: "commonjs" }));
    await writeFile(
      join(folder, "server.ts"),
      `import { createStowage } from "@stowage/server";
import { toExpressHandler } from "@stowage/server/express";
import { UploadDropzone } from "@stowage/react";
export const all = [createStowage, toExpressHandler, UploadDropzone];
`,
    );
    const compilerOptions = {
      module,
      moduleResolution,
      target: "es2022",
      lib: ["es2023", "dom", "dom.iterable"],
      types: ["node"],
      strict: true,
      skipLibCheck: true,
      noEmit: true,
      ...further,
    };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["."] }));
    const output = await run(process.execPath, [binOf(typescript), "-p", "."], {
      cwd: folder,
      timeoutMs: 120_000,
    }).catch(String);
    if (error === "") expect(output).toBe("");
    else expect(output).toContain(error);
  },
);
