import type * as z from "zod";
import { type ErrorCode, errorCatalogue, StowageError } from "./errors.js";

/**
 * Parses what came over the wire.
 *
 * @throws {StowageError} with the first rule that the value breaks: a code of its own where the catalogue has one
 * for that sentence (`filename_required`), else `invalid_request`.
 */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const detail = result.error.issues[0]?.message ?? errorCatalogue.invalid_request.detail;
  throw new StowageError(codeOf(detail), { detail });
}

function codeOf(detail: string): ErrorCode {
  const known = Object.entries(errorCatalogue).find(([, entry]) => entry.detail === detail);
  return (known?.[0] as ErrorCode | undefined) ?? "invalid_request";
}
