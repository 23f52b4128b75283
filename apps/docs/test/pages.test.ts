import { expect, test } from "vitest";
import { headingIds, linksOf } from "../src/content/links.js";
import { completeNavigation, readPages } from "../src/content/read-pages.js";
import { listEntries, parseSnapshot } from "../src/content/reference.js";
import { createSiteLinks } from "../src/content/site-links.js";
import { kindOf, readText } from "../src/content/repository.js";
import { navigation } from "../src/navigation.js";

// Here and not in a test, because parsing all pages takes seconds.
const pages = readPages();
const { dead } = createSiteLinks(pages);

test("every link of the documentation leads to a page or a file that exists", () => {
  expect(dead).toEqual([]);
});

test("every link to a part of a page leads to a heading that exists", () => {
  const ids = new Map(pages.map(({ source, markdown }) => [source, headingIds(markdown)]));
  const wrong = pages.flatMap(({ source, markdown }) =>
    linksOf(markdown, source)
      .filter(({ path, hash }) => hash !== "" && ids.get(path)?.has(hash.slice(1)) === false)
      .map(({ url }) => `${source}: ${url}`),
  );
  expect(wrong).toEqual([]);
});

test("every page of the navigation exists, once, with a title and a description of one sentence", () => {
  const named = navigation.flatMap((group) => group.pages);
  expect(named.map(({ source }) => source).filter((source) => kindOf(source) !== "file")).toEqual([]);
  expect(new Set(named.map(({ source }) => source)).size).toBe(named.length);
  expect(new Set(named.map(({ title }) => title)).size).toBe(named.length);
  for (const { title, description } of named) {
    expect(title.length).toBeGreaterThan(2);
    expect(description).toMatch(/^\S.{19,160}\.$/);
  }
});

test("every page has its own address, a title and a description", () => {
  expect(new Set(pages.map(({ slug }) => slug)).size).toBe(pages.length);
  expect(pages.filter(({ title, description }) => title === "" || description === "")).toEqual([]);
});

test("a guide that the navigation does not name is in one of its groups", () => {
  const listed = completeNavigation().flatMap((group) => group.pages);
  const guides = pages.filter(({ source }) => /^docs\/(guides\/)?[^/]+\.md$/.test(source));
  expect(listed.map(({ source }) => source)).toEqual(
    expect.arrayContaining(guides.map(({ source }) => source)),
  );
});

test("every TypeScript example is on a page that tooling/as-published compiles", () => {
  const compiled = /^(README|docs\/(guides\/)?[^/]+|packages\/[^/]+\/README)\.md$/;
  const others = pages.filter(
    ({ source, markdown }) =>
      /^```tsx?\b/m.test(markdown) && source.endsWith(".md") && !compiled.test(source),
  );
  expect(others.map(({ source }) => source)).toEqual([]);
});

test("every name that a published package exports has a docstring on the page of its entry point", () => {
  const bare = listEntries().flatMap((source) => {
    const { markdown } = pages.find((page) => page.source === source)!;
    return parseSnapshot(readText(source))
      .exported.map(({ title }) => title)
      .filter((title) => !new RegExp(`^### ${title}\n\n(?!\`\`\`)\\S`, "m").test(markdown))
      .map((title) => `${source}: ${title}`);
  });
  expect(bare).toEqual([]);
});

test("no two pages of the reference show the same declaration", () => {
  const shown = pages
    .filter(({ source }) => source.endsWith(".txt"))
    .flatMap(({ markdown }) => markdown.split(/^(?=#{2,3} )/m))
    .map((section) => section.trim())
    .filter((section) => section.startsWith("### ") && section.includes("```ts"));
  expect(shown.length).toBeGreaterThan(200);
  expect(shown.filter((section, index) => shown.indexOf(section) !== index)).toEqual([]);
});
