import type * as z from "zod";
import { errorCatalogue, errorCodeOf, StowageError } from "./errors.js";

/**
 * Parses a value with a schema.
 *
 * @throws {StowageError} for the first rule that the value breaks. The code is `invalid_request`, or a more specific one
 * if the catalogue has it, such as `filename_required`. The message names the field and the rule
 */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) {
    return result.data;
  }
  const detail = result.error.issues[0]?.message ?? errorCatalogue.invalid_request.detail;
  throw new StowageError(errorCodeOf(detail) ?? "invalid_request", { detail });
}
