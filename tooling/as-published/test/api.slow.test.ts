import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { describeEntry } from "./fixtures/describe-entry.js";
import { declaredEntries, PUBLISHED, readManifest } from "./fixtures/published.js";
import { run } from "./fixtures/run.js";

const { react19 } = inject("customers");
const API = join(import.meta.dirname, "../api");
const HOW_TO_ACCEPT = "To accept the change, run: npx pnpm --filter @stowage/as-published run accept-api";

const entries = await Promise.all(
  PUBLISHED.map(async (name) => {
    const root = join(react19, "node_modules/@stowage", name);
    const manifest = await readManifest(root);
    // The names of ./internals may change in any release.
    const stable = (await declaredEntries(manifest, root)).filter(({ subpath }) => subpath !== "./internals");
    return stable.map(({ subpath, types }) => {
      const file = `${name}.${subpath === "." ? "index" : subpath.slice(2).replaceAll("/", ".")}.txt`;
      return { id: join(manifest.name, subpath), name, types, file };
    });
  }),
).then((found) => found.flat());

/** The names that each entry exports at run time. One process imports all entries, because a process per entry takes long. */
let runtimeExports: Record<string, string[]>;
beforeAll(async () => {
  const ids = JSON.stringify(entries.map(({ id }) => id));
  const code = `
    const names = {};
    for (const id of ${ids}) names[id] = Object.keys(await import(id)).sort();
    console.log(JSON.stringify(names));`;
  const output = await run(process.execPath, ["--input-type=module", "-e", code], {
    cwd: react19,
    timeoutMs: 60_000,
  });
  runtimeExports = JSON.parse(output) as Record<string, string[]>;
});

describe("the public API", () => {
  test.each(entries.map((entry) => [entry.file, entry] as const))(
    "is unchanged: api/%s",
    async (file, { id, name, types }) => {
      const root = join(react19, "node_modules/@stowage", name, "/");
      const values = `${runtimeExports[id]?.join("\n")}\n`;
      const declared = describeEntry({ types: join(root, types), root });
      await expect(`${id}\n\nat run time:\n${values}\n${declared}\n`).toMatchFileSnapshot(
        join(API, file),
        HOW_TO_ACCEPT,
      );
    },
  );

  test("has no file in api/ for an entry point that no longer exists", async () => {
    const known = entries.map(({ file }) => file);
    expect(
      (await readdir(API)).map((path) => basename(path)).filter((path) => !known.includes(path)),
    ).toEqual([]);
  });
});
