import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../src/root.js";

interface Row {
  attack: string;
  /** The last cell: the paths of the tests, or "no test" with a reason. */
  proof: string;
}

/** The rows about attacks in a page of Markdown. */
function readRows(page: string): Row[] {
  return page
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| an attacker tries to"))
    .map((line) => line.split("|").slice(1, -1))
    .map((cells) => ({ attack: cells[0]!.trim(), proof: cells.at(-1)!.trim() }));
}

/** What a row lacks: a test, or a file that exists and is a test. */
function findProblems({ attack, proof }: Row): string[] {
  if (/^no test: \S/.test(proof)) return [];
  const paths = [...proof.matchAll(/`([^`]+)`/g)].map(([, path]) => path!);
  if (paths.length === 0) return [`${attack}: names no test`];
  return paths
    .filter((path) => !/\.(test|debian)\.tsx?$/.test(path) || !existsSync(join(root, path)))
    .map((path) => `${attack}: ${path} is not a test`);
}

test("every attack of the threat model names a test that exists, or says that there is none", () => {
  const rows = readRows(readFileSync(join(root, "docs", "threat-model.md"), "utf8"));
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.flatMap(findProblems)).toEqual([]);
});

test.each([
  ["| guess a key | luck |  |", "names no test"],
  ["| guess a key | luck | no test |", "names no test"],
  ["| guess a key | luck | `apps/gone.test.ts` |", "apps/gone.test.ts is not a test"],
  ["| guess a key | luck | `README.md` |", "README.md is not a test"],
])("finds a row without a proof: %s", (line, problem) => {
  expect(readRows(line).flatMap(findProblems)).toEqual([`guess a key: ${problem}`]);
});
