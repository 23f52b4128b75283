import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorCatalogue } from "@stowage/schemas";
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
    // The names of ./internals and below may change in any release.
    const declared = await declaredEntries(manifest, root);
    const stable = declared.filter(({ subpath }) => !subpath.startsWith("./internals"));
    return stable.map(({ subpath, types, pattern = subpath }) => {
      const file = `${name}.${pattern === "." ? "index" : pattern.slice(2).replace("/*", "").replaceAll("/", ".")}.txt`;
      return { id: join(manifest.name, subpath), pattern, name, types, file };
    });
  }),
).then((found) => found.flat());
const modulesOf = (file: string) => entries.filter((entry) => entry.file === file);
const files = [...new Set(entries.map(({ file }) => file))];

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

/** How an inferred type writes `ErrorCode`. */
const ALL_CODES = Object.keys(errorCatalogue)
  .toSorted()
  .map((code) => `"${code}"`)
  .join(" | ");

function describeModule({ id, pattern, name, types }: (typeof entries)[number]): string {
  const root = join(installedFolder(customers, name), "/");
  const values = runtimeExports[id] ?? [];
  const others = new Map(
    entries
      .filter((entry) => entry.name === name && entry.types !== types)
      .map((entry) => [join(root, entry.types), entry.id]),
  );
  const declared = describeEntry({ types: join(root, types), root, others }).replaceAll(
    ALL_CODES,
    "ErrorCode",
  );
  const text = `${id}\n\nat run time:\n${values.join("\n")}\n\n${declared}\n`;
  if (!pattern.includes("*")) return text;
  const [value = "", ...more] = values;
  expect(more).toEqual([]);
  return text.replace(id, `${dirname(id)}/*`).replaceAll(new RegExp(`\\b${value}\\b`, "g"), "NAME");
}

describe("the public API", () => {
  test.each(files)("is unchanged: api/%s", async (file) => {
    // The modules of a pattern differ only in the name of their one export.
    const [text, ...others] = new Set(modulesOf(file).map(describeModule));
    expect(others).toEqual([]);
    await expect(text).toMatchFileSnapshot(join(API, file), HOW_TO_ACCEPT);
  });

  test("has every language of the client in the widget", () => {
    const languagesOf = (file: string) =>
      modulesOf(file)
        .map(({ id }) => basename(id))
        .sort();
    expect(languagesOf("react.locales.txt")).toEqual(languagesOf("client.locales.txt"));
  });

  test("has no file in api/ for an entry point that no longer exists", async () => {
    expect((await readdir(API)).filter((path) => !files.includes(path))).toEqual([]);
  });
});
