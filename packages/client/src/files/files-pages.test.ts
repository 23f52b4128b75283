import { expect, test } from "vitest";
import { addPage, mergeFirstPage, NO_PAGES, withoutFile } from "./files-pages.js";
import type { ListedFile } from "./files-settings.js";

const filesOf = (names: string) => Array.from(names, (name) => ({ file_path: name }) as ListedFile);
const pageOf = (names: string, next_cursor: string | null) => ({ files: filesOf(names), next_cursor });
const pagesOf = (names: string, nextCursor: string | null) => ({ files: filesOf(names), nextCursor });

test("a fresh first page keeps the pages behind it", () => {
  expect(mergeFirstPage(pagesOf("dcba", "a"), pageOf("edc", "c"))).toEqual(pagesOf("edcba", "a"));
});

test("a fresh first page takes out the files that it no longer has", () => {
  expect(mergeFirstPage(pagesOf("edcba", "a"), pageOf("ecb", "b"))).toEqual(pagesOf("ecba", "a"));
});

test("a fresh first page that does not reach the old files starts the list again", () => {
  expect(mergeFirstPage(pagesOf("cba", "a"), pageOf("zyx", "x"))).toEqual(pagesOf("zyx", "x"));
  expect(mergeFirstPage(pagesOf("cba", "a"), pageOf("", "x"))).toEqual(pagesOf("", "x"));
});

test("a first page that is also the last one is the whole list", () => {
  expect(mergeFirstPage(pagesOf("dcba", null), pageOf("da", null))).toEqual(pagesOf("da", null));
  expect(mergeFirstPage(NO_PAGES, pageOf("", null))).toEqual(NO_PAGES);
});

test("a further page is added without the files that are there already", () => {
  expect(addPage(pagesOf("dcb", "b"), "b", pageOf("ba", null))).toEqual(pagesOf("dcba", null));
});

test("a further page of a list that has started again is dropped", () => {
  expect(addPage(pagesOf("zyx", "x"), "b", pageOf("a", null))).toEqual(pagesOf("zyx", "x"));
});

test("a deleted file is taken out, and the next page stays the same", () => {
  expect(withoutFile(pagesOf("dcb", "b"), "b")).toEqual(pagesOf("dc", "b"));
});
