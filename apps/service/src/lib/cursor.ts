import { StowageError } from "@stowage/schemas";

/**
 * Where a page of a list ends: the sort key of its last entry, as the caller hands it back for the next page. Opaque to callers,
 * so that the key may change; the kind keeps a cursor of one list from being read by another.
 */
export function writeCursor(kind: string, key: number[]): string {
  return Buffer.from(kind + key.join(".")).toString("base64url");
}

/** @throws {StowageError} `invalid_request` for anything that {@link writeCursor} did not make of that kind and length */
export function readCursor(kind: string, length: number, cursor: string): number[] {
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  const key = text.startsWith(kind) ? text.slice(kind.length).split(".") : [];
  const isOurs =
    key.length === length &&
    key.every((digits) => /^\d{1,16}$/.test(digits) && Number.isSafeInteger(Number(digits)));
  if (!isOurs) throw new StowageError("invalid_request", { detail: "cursor is not valid" });
  return key.map(Number);
}
