import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { migrationsDir } from "#paths.js";
import { splitStatements } from "./migrate.js";
import { readFunctions } from "./sql-functions.js";

/** The migrations after the baseline, which no version before can have used. */
const later = readdirSync(migrationsDir)
  .filter((name) => /^\d{4}_\w+\.sql$/.test(name) && name > "0000_baseline.sql")
  .map((name) => ({ name, text: readFileSync(join(migrationsDir, name), "utf8") }));

const WITH_TABLE_NAME = 'ALTER TABLE "files" ADD CONSTRAINT "x" CHECK ("files"."size" > 0) NOT VALID;';

const namesTable = (text: string) =>
  (text.match(/ADD CONSTRAINT "?\w+"? CHECK .*/gi) ?? []).filter((statement) => /"\."/.test(statement));

/** `drizzle-kit generate` writes `"files"."size"`, which has to be changed to `"size"` by hand. */
test("a check that is added to a table names no table, because its shards on Citus have other names", () => {
  expect(namesTable(WITH_TABLE_NAME)).toHaveLength(1);
  expect(later.filter(({ text }) => namesTable(text).length > 0)).toEqual([]);
});

test("only the newest migration has a snapshot, because drizzle-kit compares the schema with that one", () => {
  const newest = later.at(-1)?.name ?? "0000_baseline.sql";
  expect(readdirSync(join(migrationsDir, "meta"))).toEqual([
    `${newest.slice(0, 4)}_snapshot.json`,
    "_journal.json",
  ]);
});

test("the statements of a migration are split at the ends of lines, without comments", () => {
  const text =
    "-- Not; this;\ncreate table a (\n  x text default ';' -- a comment\n);\n--> statement-breakpoint\ndrop table b; \n";
  expect(splitStatements(text)).toEqual([
    "create table a (\n  x text default ';' -- a comment\n)",
    "drop table b",
  ]);
});

test("functions are in db/functions, and in no migration", () => {
  const creates = (text: string) => /\bcreate\s+(or\s+replace\s+)?(function|procedure)\b/i.test(text);
  const texts = readdirSync(migrationsDir)
    .filter((name) => name.endsWith(".sql"))
    .map((name) => [name, readFileSync(join(migrationsDir, name), "utf8")] as const);
  expect(texts.filter(([, text]) => creates(text)).map(([name]) => name)).toEqual([]);
  const functions = readFunctions();
  expect(functions.filter(({ statement }) => !creates(statement))).toEqual([]);
});

test("each file of db/functions says its arguments, rows, locks and errors, and defines the function of its name", () => {
  for (const { name, statement } of readFunctions()) {
    for (const part of ["Arguments", "Rows", "Locks", "Errors"])
      expect(statement, name).toMatch(new RegExp(`^-- ${part}: `, "m"));
    expect([...statement.matchAll(/^create or replace function (\w+)/gim)].map(([, found]) => found)).toEqual(
      [name],
    );
  }
});

/** What replicas of the version before would still use, or what blocks them while a large table is read. */
const DANGERS: [danger: string, statement: RegExp][] = [
  [
    "removes or renames what the version before uses",
    /\bdrop\s+(table|column|type|schema|view)\b|\brename\b/i,
  ],
  ["removes a function that the version before calls", /\bdrop\s+(function|procedure)\b/i],
  ["writes the whole table while it is locked", /\balter\s+column\s+\S+\s+(set\s+data\s+)?type\b/i],
  ["reads the whole table while it is locked", /\bset\s+not\s+null\b/i],
  [
    "reads the whole table while it is locked: add NOT VALID",
    /\badd\s+constraint\b(?![^;]*\bnot\s+valid\b)/i,
  ],
  [
    "refuses the rows that the version before inserts",
    /\badd\s+column\b(?=[^;]*\bnot\s+null\b)(?![^;]*\bdefault\b)/i,
  ],
];

/** A comment in the migration that names the danger as considered, and why it is none. */
const EXCEPTION = /^-- upgrade-safe: \S.{20,}/m;

function dangersOf(migration: string): string[] {
  const created = [...migration.matchAll(/create table (?:if not exists )?"?(\w+)/gi)].map(
    ([, name]) => name!,
  );
  return (
    migration
      .split("--> statement-breakpoint")
      .filter((statement) => !EXCEPTION.test(statement))
      .map((statement) => statement.replace(/^\s*--.*$/gm, "").trim())
      // No older version uses a table that the same migration creates.
      .filter(
        (statement) => !created.some((name) => new RegExp(`alter table "?${name}\\b`, "i").test(statement)),
      )
      .filter((statement) => !/^create table/i.test(statement))
      .flatMap((statement) => DANGERS.filter(([, form]) => form.test(statement)).map(([danger]) => danger))
  );
}

test("a migration breaks no replica of the version before it: docs/upgrading.md", () => {
  const found = later
    .map(({ name, text }) => [name, dangersOf(text)])
    .filter(([, dangers]) => dangers!.length > 0);
  expect(found).toEqual([]);
});

test.each<[string, number]>([
  ['ALTER TABLE "files" DROP COLUMN "etag";', 1],
  ['ALTER TABLE "files" RENAME COLUMN "etag" TO "tag";', 1],
  ["DROP FUNCTION emit_events(bigint, text, timestamptz, json)", 1],
  ['ALTER TABLE "files" ALTER COLUMN "size" SET DATA TYPE integer;', 1],
  ['ALTER TABLE "files" ALTER COLUMN "size" SET NOT NULL;', 1],
  ['ALTER TABLE "files" ADD CONSTRAINT "x" CHECK ("size" > 0);', 1],
  ['ALTER TABLE "files" ADD CONSTRAINT "x" CHECK ("size" > 0) NOT VALID;', 0],
  ['ALTER TABLE "files" ADD COLUMN "x" integer NOT NULL;', 1],
  ['ALTER TABLE "files" ADD COLUMN "x" integer DEFAULT 0 NOT NULL;', 0],
  [
    'CREATE TABLE "new" ("id" bigint NOT NULL);--> statement-breakpoint\nALTER TABLE "new" ADD CONSTRAINT "x" CHECK (true);',
    0,
  ],
  ["-- upgrade-safe: the version before stopped to call it in 0040.\nDROP FUNCTION emit_events(bigint)", 0],
  ["-- drop table files is a comment\nSELECT 1", 0],
])("the check of migrations judges %j", (statement, dangers) => {
  expect(dangersOf(statement)).toHaveLength(dangers);
});
