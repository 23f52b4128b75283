import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, inject, test } from "vitest";
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
    return (await declaredEntries(manifest, root)).map(({ subpath, types }) => {
      const file = `${name}.${subpath === "." ? "index" : subpath.slice(2).replaceAll("/", ".")}.txt`;
      return { id: join(manifest.name, subpath), name, types, file };
    });
  }),
).then((found) => found.flat());

describe("the public API", () => {
  test.each(entries.map((entry) => [entry.file, entry] as const))(
    "is unchanged: api/%s",
    async (file, entry) => {
      const { id, name, types } = entry;
      const root = join(react19, "node_modules/@stowage", name, "/");
      const code = `console.log(Object.keys(await import(${JSON.stringify(id)})).sort().join("\\n"))`;
      const values = await run(process.execPath, ["--input-type=module", "-e", code], {
        cwd: react19,
        timeoutMs: 20_000,
      });
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
