import * as z from "zod";

const CONTROL_CHARACTER = /\p{Cc}/u;

/** UTF-16 units that at the most become one character in NFC, with room to spare. */
const LONGEST_FOLD = 8;

interface TextRule {
  /** Unicode code points. */
  max: number;
  normalize?: "NFC";
  /** Missing, null, empty and blank are then all refused as "<name> is required". */
  required?: boolean;
}

/**
 * A string that the database can hold and give back unchanged: no control characters (PostgreSQL refuses NUL, a
 * log line breaks at the others) and no lone surrogates (UTF-8 has no way to write one, so two IDs could become one).
 *
 * @param name the member's name on the wire, for the sentence that refuses it
 */
export function wireText(name: string, rule: TextRule) {
  const tooLong = `${name} must be at most ${rule.max} characters`;
  return (
    z
      .string({
        error: (issue) =>
          rule.required && (issue.input === undefined || issue.input === null)
            ? `${name} is required`
            : `${name} must be a string`,
      })
      // The rules below are code; this says of them what a JSON Schema can.
      .meta({ maxLength: rule.max, ...(rule.required ? { minLength: 1 } : {}) })
      .refine((text) => !rule.required || text.trim() !== "", { error: `${name} is required`, abort: true })
      .refine((text) => text.isWellFormed(), { error: `${name} must be valid Unicode`, abort: true })
      .refine((text) => !CONTROL_CHARACTER.test(text), {
        error: `${name} must not contain control characters`,
        abort: true,
      })
      // Normalising takes the square of a long run of marks: what cannot shrink to the limit is refused before.
      .refine((text) => text.length <= rule.max * LONGEST_FOLD, { error: tooLong, abort: true })
      .transform((text) => (rule.normalize ? text.normalize(rule.normalize) : text))
      .refine((text) => codePointLength(text) <= rule.max, { error: tooLong })
  );
}

function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}
