import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { describeEntry } from "./fixtures/describe-entry.js";
import { declaredEntries, installedFolder, PUBLISHED, readManifest } from "./fixtures/published.js";
import { run } from "./fixtures/run.js";

const customers = inject("customers");
const API = join(import.meta.dirname, "../api");
const HOW_TO_ACCEPT = "To accept the change, run: npx pnpm --filter @stowage/as-published run accept-api";

const entries = await Promise.all(
  PUBLISHED.map(async (name) => {
    const root = installedFolder(customers, name);
    const manifest = await readManifest(root);
    // The names of ./internals may change in any release.
    const stable = (await declaredEntries(manifest, root)).filter(({ subpath }) => subpath !== "./internals");
    return stable.map(({ subpath, types }) => {
      const file = `${name}.${subpath === "." ? "index" : subpath.slice(2).replaceAll("/", ".")}.txt`;
      return { id: join(manifest.name, subpath), name, types, file };
    });
  }),
).then((found) => found.flat());

/** The names that each entry exports at run time. One process imports all entries of a folder, because a process per entry takes long. */
let runtimeExports: Record<string, string[]>;
beforeAll(async () => {
  const { react19, servers } = customers;
  const found = await Promise.all([react19, servers].map(importAll));
  runtimeExports = Object.assign({}, ...found) as Record<string, string[]>;
});

async function importAll(customer: string): Promise<Record<string, string[]>> {
  const ids = entries.filter(({ name }) => installedFolder(customers, name).startsWith(customer));
  const code = `
    const names = {};
    for (const id of ${JSON.stringify(ids.map(({ id }) => id))}) names[id] = Object.keys(await import(id)).sort();
    console.log(JSON.stringify(names));`;
  const output = await run(process.execPath, ["--input-type=module", "-e", code], {
    cwd: customer,
    timeoutMs: 120_000,
  });
  return JSON.parse(output) as Record<string, string[]>;
}

describe("the public API", () => {
  test.each(entries.map((entry) => [entry.file, entry] as const))(
    "is unchanged: api/%s",
    async (file, { id, name, types }) => {
      const root = join(installedFolder(customers, name), "/");
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
