import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Sql, TransactionSql } from "postgres";
import { sqlFunctionsDir } from "#paths.js";
import { readVersion } from "../version.js";

/** A function of the database, which a file of `db/functions` defines. */
export interface SqlFunction {
  name: string;
  /** `create or replace function …`. Its comments are the function's contract. */
  statement: string;
  /** What PostgreSQL's comment on the function says, so that a later start knows what it has. */
  mark: string;
}

/** All functions of this version, by name. */
export function readFunctions(): SqlFunction[] {
  const version = readVersion();
  return readdirSync(sqlFunctionsDir)
    .filter((file) => file.endsWith(".sql"))
    .toSorted()
    .map((file) => {
      const statement = readFileSync(join(sqlFunctionsDir, file), "utf8");
      const hash = createHash("sha256").update(statement).digest("hex");
      return { name: file.slice(0, -".sql".length), statement, mark: `stowage ${version} sha256:${hash}` };
    });
}

/**
 * Finds the functions that the database lacks, or has in the text of an older version. A function of a newer version stays, because
 * replicas of that version call it. A newer version may be the same text: then nothing is to be done either.
 */
export async function findOutdatedFunctions(sql: Pick<Sql, "unsafe">): Promise<SqlFunction[]> {
  const rows = await sql.unsafe<{ name: string; mark: string | null }[]>(
    `select proname as name, obj_description(oid, 'pg_proc') as mark from pg_proc
     where pronamespace = current_schema()::regnamespace`,
  );
  const marks = new Map(rows.map(({ name, mark }) => [name, mark ?? ""]));
  return readFunctions().filter(({ name, mark }) => isOlder(marks.get(name) ?? "", mark));
}

/**
 * Replaces functions, and writes down which text they have. One with other types of arguments takes the place of the older one. The
 * transaction has run the migrations already.
 */
export async function replaceFunctions(tx: TransactionSql, functions: SqlFunction[]): Promise<void> {
  for (const { name, statement, mark } of functions) {
    const before = await signaturesOf(tx, name);
    await tx.unsafe(statement);
    const created = (await signaturesOf(tx, name)).filter((signature) => !before.includes(signature));
    if (created.length > 0) for (const signature of before) await tx.unsafe(`drop function ${signature}`);
    await tx.unsafe(`comment on function ${created[0] ?? before[0]} is '${mark}'`);
  }
}

async function signaturesOf(tx: TransactionSql, name: string): Promise<string[]> {
  const rows = await tx<{ signature: string }[]>`
    select oid::regprocedure::text as signature from pg_proc
    where proname = ${name} and pronamespace = current_schema()::regnamespace`;
  return rows.map(({ signature }) => signature);
}

/** Whether the database has another mark, which no newer version wrote. */
function isOlder(found: string, own: string): boolean {
  const [, foundVersion, foundHash] = MARK.exec(found) ?? [];
  const [, ownVersion, ownHash] = MARK.exec(own) ?? [];
  if (foundVersion === undefined || ownVersion === undefined) return true;
  return foundHash !== ownHash && compareVersions(foundVersion, ownVersion) <= 0;
}

const MARK = /^stowage (\S+) sha256:([0-9a-f]{64})$/;

/** Compares by major, minor and patch; a pre-release counts as its release. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  const index = left.findIndex((number, i) => number !== right[i]);
  return index < 0 ? 0 : left[index]! - right[index]!;
}

const numbersOf = (version: string) => (version.match(/\d+/g) ?? []).slice(0, 3).map(Number);
