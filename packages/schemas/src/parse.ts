import type * as z from "zod";
import { errorCatalogue, errorCodeOf, StowageError } from "./errors.js";

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
  throw new StowageError(errorCodeOf(detail) ?? "invalid_request", { detail });
}
