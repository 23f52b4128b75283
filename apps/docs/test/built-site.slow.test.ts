import { readdir, readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { BASE, markdownPath } from "../src/content/addresses.js";
import { readPages } from "../src/content/read-pages.js";

const DIST = join(import.meta.dirname, "../dist");

interface BuiltPage {
  name: string;
  html: string;
  ids: string[];
  /** The addresses of links, images, scripts and styles, without the entities of HTML. */
  addresses: string[];
}

let files: Set<string>;
let pages: BuiltPage[];
beforeAll(async () => {
  const names = await readdir(DIST, { recursive: true, withFileTypes: true });
  files = new Set(
    names
      .filter((entry) => entry.isFile())
      .map((entry) => posix.join(entry.parentPath.slice(DIST.length), entry.name).replace(/^\//, "")),
  );
  pages = await Promise.all(
    [...files].filter((name) => name.endsWith(".html")).map(async (name) => readPage(name)),
  );
});

async function readPage(name: string): Promise<BuiltPage> {
  const html = await readFile(join(DIST, name), "utf8");
  // Attributes in highlighted code are escaped, so these belong to elements.
  const values = (attribute: RegExp) => [...html.matchAll(attribute)].map(([, value = ""]) => value);
  return {
    name,
    html,
    ids: values(/\sid="([^"]+)"/g),
    addresses: values(/\s(?:href|src)="([^"]*)"/g).map((value) => value.replaceAll("&amp;", "&")),
  };
}

/** The file that a host sends for an address of the site. */
function fileOf(path: string): string {
  const name = decodeURI(path).slice(BASE.length).replace(/^\//, "");
  return name === "" || name.endsWith("/") ? `${name}index.html` : name;
}

test("each page of the repository is a page of the site, and has its Markdown beside it", () => {
  const missing = readPages()
    .flatMap(({ slug }) => [slug === "" ? "index.html" : `${slug}/index.html`, `${markdownPath(slug)}.md`])
    .filter((name) => !files.has(name));
  expect(missing).toEqual([]);
});

test("no link, image, script or style of any page leads nowhere", () => {
  const ids = new Map(pages.map((page) => [page.name, new Set(page.ids)]));
  const dead: string[] = [];
  let checked = 0;
  for (const { name, addresses } of pages) {
    for (const address of addresses) {
      if (/^(https?:|mailto:|data:)/.test(address)) continue;
      checked++;
      const [path = "", hash = ""] = address.split("#");
      const target = path === "" ? name : fileOf(path);
      const isDead = !(path === "" || path.startsWith(`${BASE}/`)) || !files.has(target);
      const hasNoId = hash !== "" && ids.get(target)?.has(decodeURIComponent(hash)) === false;
      if (isDead || hasNoId) dead.push(`${name}: ${address}`);
    }
  }
  expect(checked).toBeGreaterThan(pages.length * 20);
  expect(dead).toEqual([]);
});

test("no address in the Markdown of a page leads nowhere", async () => {
  const names = [...files].filter((name) => /\.md$|^llms.*\.txt$/.test(name));
  const dead: string[] = [];
  for (const name of names) {
    const text = await readFile(join(DIST, name), "utf8");
    for (const [, path = ""] of text.matchAll(/\]\((\/docs\/[^)#\s]*)/g))
      if (!files.has(fileOf(path))) dead.push(`${name}: ${path}`);
  }
  expect(names.length).toBeGreaterThan(100);
  expect(dead).toEqual([]);
});

test("has no file that a host would hide", () => {
  expect([...files].filter((name) => /(^|\/)\./.test(name))).toEqual([]);
});

test("contains the items that the shadcn command installs", async () => {
  const { items } = JSON.parse(await readFile(join(DIST, "r/registry.json"), "utf8")) as {
    items: { name: string }[];
  };
  expect(items.map(({ name }) => name)).toContain("upload-dropzone");
  expect(items.filter(({ name }) => !files.has(`r/${name}.json`))).toEqual([]);
});

test("no page has a script of its own, or the same id twice", () => {
  const wrong = pages.filter(
    ({ html, ids }) => /<script(?![^>]*\ssrc=)[^>]*>/.test(html) || new Set(ids).size !== ids.length,
  );
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

test("each page has one title, a description and its own language", () => {
  const wrong = pages
    .filter(({ name }) => name !== "404.html")
    .filter(
      ({ html }) =>
        !/<title>[^<]+<\/title>/.test(html) || !/<meta name="description" content="[^"]+/.test(html),
    )
    .map(({ name }) => name);
  expect(wrong).toEqual([]);
  expect(pages.every(({ html }) => html.includes('<html lang="en"'))).toBe(true);
});
