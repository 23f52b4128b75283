import { StowageError } from "@stowage/schemas";

/*
 * A cursor says where a page of a list ends or begins: the name of the list and the sort key of the page's last or first entry.
 * Callers hand it back unchanged to get the next or the previous page. They must not read it, so its format may change.
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

/** Where a page starts: after a position, or, for a previous page, before it. */
export interface Place<Position> {
  direction: "after" | "before";
  at: Position;
}

/** Writes the cursor of a neighbouring page; null if there is none. */
export function writePlace(list: string, place: Place<(string | number)[]> | null): string | null {
  return place && writeCursor(place.direction === "before" ? before(list) : list, place.at);
}

/**
 * Reads a cursor of a list that can be read in both directions.
 *
 * @returns undefined without a cursor: the first page
 * @throws {StowageError} as {@link readCursor}
 */
export function readPlace<const Types extends KeyTypes>(
  list: string,
  types: Types,
  cursor: string | undefined,
  otherListDetail?: string,
): Place<Key<Types>> | undefined {
  if (cursor === undefined) return undefined;
  const parsed = parseJson(Buffer.from(cursor, "base64url").toString("utf8"));
  const isBefore = Array.isArray(parsed) && parsed[0] === before(list);
  const name = isBefore ? before(list) : list;
  return {
    direction: isBefore ? "before" : "after",
    at: readCursor(name, types, cursor, otherListDetail),
  };
}

const before = (list: string) => `before ${list}`;

const INVALID = "cursor is not valid";

/** PostgreSQL refuses a text with a null character. */
function isPart(type: "string" | "number", part: unknown): boolean {
  return type === "string"
    ? typeof part === "string" && !part.includes("\0")
    : Number.isSafeInteger(part) && Number(part) >= 0;
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
