import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** Vite's manifest: the static and the dynamic imports of each chunk. */
type Manifest = Record<
  string,
  { file: string; isEntry?: boolean; imports?: string[]; dynamicImports?: string[] }
>;

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const manifest = JSON.parse(readFileSync(join(dist, ".vite", "manifest.json"), "utf8")) as Manifest;
const entry = Object.keys(manifest).find((name) => manifest[name]!.isEntry)!;
const pages = Object.keys(manifest).filter((name) => /src\/features\/.*-page\.tsx$/.test(name));

/**
 * Just above the largest page. What a page does not show at first is loaded later: dialogs, menus, tooltips, the command palette, filters
 * and charts. 229 kB since the page of a file lists its share links: 1.5 kB with the reading of further pages.
 */
const FIRST_LOAD_BYTES = 229_000;

/** A chunk and its static imports, transitively. */
function withImports(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const other of manifest[name]!.imports ?? []) withImports(other, seen);
  return seen;
}

/** What a browser receives: a chunk that compression makes larger has no compressed copy. */
function sentBytes(names: Iterable<string>): number {
  return [...names]
    .map((name) => join(dist, manifest[name]!.file))
    .reduce((sum, path) => sum + statSync(existsSync(`${path}.gz`) ? `${path}.gz` : path).size, 0);
}

test.each(pages)("the first load of %s is below 229 kB of JavaScript, gzip", (page) => {
  const bytes = sentBytes(withImports(page, withImports(entry)));
  console.log(`${page}: ${bytes} bytes`);
  expect(bytes).toBeLessThan(FIRST_LOAD_BYTES);
});

test("every page is a separate chunk", () => {
  expect(pages.length).toBeGreaterThan(10);
  expect(manifest[entry]!.dynamicImports).toEqual(expect.arrayContaining(pages));
});
