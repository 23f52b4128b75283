import { StowageError } from "@stowage/schemas";

/*
 * A cursor says where a page of a list ends: the name of the list and the sort key of the page's last entry. Callers hand it back
 * unchanged to get the next page. They must not read it, so its format may change.
 */

type KeyTypes = readonly ("string" | "number")[];
type Key<Types extends KeyTypes> = {
  -readonly [Index in keyof Types]: Types[Index] extends "string" ? string : number;
};

/**
 * @param list tells lists apart, so that a cursor of one list is not accepted by another
 * @param key strings, and whole numbers that are not negative
 */
export function writeCursor(list: string, key: (string | number)[]): string {
  return Buffer.from(JSON.stringify([list, ...key])).toString("base64url");
}

/**
 * @param types the types of the key's parts
 * @param otherListDetail the error's detail for a cursor of another list
 * @throws {StowageError} `invalid_request` if {@link writeCursor} did not make the cursor for this list
 */
export function readCursor<const Types extends KeyTypes>(
  list: string,
  types: Types,
  cursor: string,
  otherListDetail = INVALID,
): Key<Types> {
  const parsed = parseJson(Buffer.from(cursor, "base64url").toString("utf8"));
  if (!Array.isArray(parsed)) throw invalid(INVALID);
  const [name, ...key] = parsed as unknown[];
  const hasTypes = key.length === types.length && types.every((type, index) => isPart(type, key[index]));
  if (typeof name !== "string" || !hasTypes) throw invalid(INVALID);
  if (name !== list) throw invalid(otherListDetail);
  return key as Key<Types>;
}

const INVALID = "cursor is not valid";

function isPart(type: "string" | "number", part: unknown): boolean {
  return type === "string" ? typeof part === "string" : Number.isSafeInteger(part) && Number(part) >= 0;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function invalid(detail: string): StowageError {
  return new StowageError("invalid_request", { detail });
}
