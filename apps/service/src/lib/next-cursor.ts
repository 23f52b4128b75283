import { isDeepStrictEqual } from "node:util";
import { StowageError } from "@stowage/schemas";

/**
 * Where a list of another server goes on.
 *
 * @param isCut whether the server says that the list has more
 * @param next where it goes on, as the server says
 * @param before where the page began; null for the first page
 * @returns null if the list has ended
 * @throws {StowageError} `unavailable` if the list is cut, but has no next place or the same one again: a reader would miss the rest, or never end
 */
export function nextCursor<Cursor>(
  isCut: boolean | undefined,
  next: Cursor | null | undefined,
  before: Cursor | null | undefined,
): Cursor | null {
  if (!isCut) return null;
  if (next === null || next === undefined || isDeepStrictEqual(next, before)) {
    throw new StowageError("unavailable", { detail: "A list is cut and does not say where it goes on" });
  }
  return next;
}
