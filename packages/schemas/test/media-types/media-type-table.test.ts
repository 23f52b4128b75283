import { readFile } from "node:fs/promises";
import { join } from "node:path";
import db from "mime-db";
import { lookup } from "mime-types";
import { expect, test } from "vitest";

const ADDED = join(import.meta.dirname, "added.txt");
const TABLE = join(import.meta.dirname, "../../src/rules/media-type-table.ts");
const UNKNOWN = "application/octet-stream";

/** A type, its extensions and its other names. */
type Row = [type: string, extensions: string[], aliases: string[]];

test("the table is made of mime-db and the additions: `vitest run -u` makes it", async () => {
  const added = rowsOf(await readFile(ADDED, "utf8"));
  const taken = new Set(added.flatMap(([, extensions]) => extensions));
  const rows = [...added, ...mimeDbRows(taken)];
  const merged = new Map<string, Row>();
  for (const [type, extensions, aliases] of rows) {
    const row = merged.get(type) ?? [type, [], []];
    merged.set(type, [type, [...row[1], ...extensions], [...row[2], ...aliases]]);
  }
  const lines = [...merged.values()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map((row) => [...new Set(row.flat())].join(" "));
  await expect(`${HEAD}${lines.join("\n")}\n\`;\n`).toMatchFileSnapshot(TABLE);
});

test("no extension has two types among the additions", async () => {
  const extensions = rowsOf(await readFile(ADDED, "utf8")).flatMap(([, own]) => own);
  expect(extensions.filter((each, index) => extensions.indexOf(each) !== index)).toEqual([]);
});

const HEAD = `// Made by test/media-types/media-type-table.test.ts from mime-db and test/media-types/added.txt.

/** One line for each type: its name, its extensions, the usual one first, and its other names. */
export const MEDIA_TYPES = \`
`;

function rowsOf(text: string): Row[] {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.map((line) => {
    const [type = "", ...words] = line.split(" ");
    return [type, words.filter((word) => !word.includes("/")), words.filter((word) => word.includes("/"))];
  });
}

/** @param taken the extensions that the additions have */
function mimeDbRows(taken: Set<string>): Row[] {
  const typesOf = new Map<string, string[]>();
  for (const [type, { extensions = [] }] of Object.entries(db))
    for (const extension of extensions) typesOf.set(extension, [...(typesOf.get(extension) ?? []), type]);
  const left = [...typesOf].filter(([extension]) => !taken.has(extension));
  return left.map(([extension, types]) => {
    // One extension can have several types. mime-types chooses the one that most programs use.
    const type = lookup(`a.${extension}`) || UNKNOWN;
    return [type, [extension], types.filter((other) => other !== type && other !== UNKNOWN)];
  });
}
