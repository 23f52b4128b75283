import * as z from "zod";

const CONTROL_CHARACTER = /\p{Cc}/u;

/** More UTF-16 units than NFC ever combines into one character. */
const MAX_UNITS_PER_CHARACTER = 8;

interface TextRule {
  /** Unicode code points. */
  max: number;
  /** Unicode code points. @default 0 */
  min?: number;
  normalize?: "NFC";
  /** Refuses missing, null, empty and blank values with "<name> is required". */
  required?: boolean;
}

/**
 * Creates the schema of a string that the database can store unchanged. It has no control characters, because PostgreSQL
 * refuses NUL and the others break lines in logs. It has no lone surrogates, because UTF-8 cannot encode them and two
 * different IDs could become the same.
 *
 * @param name the field's name in requests, for error messages
 */
export function textField(name: string, rule: TextRule) {
  const tooLong = `${name} must be at most ${rule.max} characters`;
  return (
    z
      .string({
        error: (issue) =>
          rule.required && (issue.input === undefined || issue.input === null)
            ? `${name} is required`
            : `${name} must be a string`,
      })
      // For the JSON Schema of OpenAPI, which cannot express the rules below.
      .meta({
        maxLength: rule.max,
        ...(rule.required || rule.min ? { minLength: rule.min ?? 1 } : {}),
      })
      .refine((text) => !rule.required || text.trim() !== "", { error: `${name} is required`, abort: true })
      .refine((text) => text.isWellFormed(), { error: `${name} must be valid Unicode`, abort: true })
      .refine((text) => !CONTROL_CHARACTER.test(text), {
        error: `${name} must not contain control characters`,
        abort: true,
      })
      // Normalisation takes quadratic time for a long run of combining marks, so texts that stay too long are refused first.
      .refine((text) => text.length <= rule.max * MAX_UNITS_PER_CHARACTER, { error: tooLong, abort: true })
      .transform((text) => (rule.normalize ? text.normalize(rule.normalize) : text))
      .refine((text) => codePointLength(text) <= rule.max, { error: tooLong })
      .refine((text) => codePointLength(text) >= (rule.min ?? 0), {
        error: `${name} must be at least ${rule.min} characters`,
      })
  );
}

function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}
