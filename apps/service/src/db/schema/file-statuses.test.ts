import { readdir, readFile } from "node:fs/promises";
import { fileStatuses } from "@stowage/schemas";
import { expect, test } from "vitest";
import { COUNTED, HIDDEN, SORTED } from "./file-statuses.js";

const SOURCES = new URL("../../", import.meta.url);
const status = `["'](?:${fileStatuses.join("|")})["']`;
const LIST = new RegExp(`[[(]\\s*${status}(?:\\s*,\\s*${status})+\\s*[\\])]`, "g");

async function listsIn(isRead: (path: string) => boolean): Promise<string[]> {
  const paths = (await readdir(SOURCES, { recursive: true })).filter(isRead);
  const texts = await Promise.all(paths.map((path) => readFile(new URL(path, SOURCES), "utf8")));
  return paths.flatMap((path, at) => [...texts[at]!.matchAll(LIST)].map(([list]) => `${path}: ${list}`));
}

test("SQL functions have only lists of statuses that the table makes", async () => {
  const lists = await listsIn((path) => /^db\/functions\/.*\.sql$/.test(path));
  expect(lists.length).toBeGreaterThan(0);
  expect(
    lists.filter((found) => ![COUNTED, HIDDEN, SORTED].some((list) => found.endsWith(`: ${list}`))),
  ).toEqual([]);
});

test("no other source has a list of statuses", async () => {
  expect(await listsIn((path) => /(?<!\.test)\.ts$/.test(path))).toEqual([]);
});
