import { limits } from "@stowage/schemas";
import * as z from "zod";
import { roles } from "./constants.js";

/*
 * Fields that several inputs of the dashboard share. Its pages validate forms with the same schemas, so each rule has
 * its own message.
 */

/** A text in one line, trimmed. */
export const text = (name: string, maxLength: number) =>
  z
    .string({ error: `${name} is required` })
    .trim()
    .min(1, { error: `${name} is required` })
    .max(maxLength, { error: `${name} must have at most ${maxLength} characters` })
    // The audit log stores it as JSON, and PostgreSQL refuses JSON with a lone surrogate.
    .refine((value) => value.isWellFormed(), { error: `${name} must be valid Unicode` })
    // Bidirectional controls could reorder the sentence around a name, such as the warning before a deletion.
    .regex(/^[^\p{Cc}\u2028-\u202e\u2066-\u2069]*$/u, {
      error: `${name} must not have control characters`,
    });

/** @param maxText `max` as people write it: `5 GiB` */
export const bytes = (name: string, max: number, maxText: string) =>
  z
    .number({ error: `${name} must be a number of bytes` })
    .int({ error: `${name} must be a whole number of bytes` })
    .min(0, { error: `${name} must be at least 0 bytes` })
    .max(max, { error: `${name} must be at most ${maxText}` });

export const oneOf = <const Names extends readonly string[]>(name: string, values: Names) =>
  z.enum(values, { error: `${name} must be one of ${values.join(", ")}` });

export const email = z
  .string({ error: "email is required" })
  .trim()
  .toLowerCase()
  .max(254, { error: "email must have at most 254 characters" })
  .pipe(z.email({ error: "email must be an e-mail address" }));

/** A minimum length and no other rules, as NIST SP 800-63B, section 3.1.1.2 recommends. */
export const password = z
  .string({ error: "password is required" })
  .min(12, { error: "password must have at least 12 characters" })
  .max(128, { error: "password must have at most 128 characters" });

/** The part after the `#` of a link that works once. */
export const token = z.string({ error: "token is required" }).min(1, { error: "token is required" }).max(100);

export const role = oneOf("role", roles);

/** An identifier that the service created. PostgreSQL refuses NUL, so control characters are refused here. */
export const identifier = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[^\p{Cc}]*$/u);

export const cursor = z.string().max(200).optional();

/** Entries per page. */
export const limit = z.int().min(1).max(limits.maxPageSize).default(limits.pageSize);

/** A date from year 1 to 9998. PostgreSQL has no year 0, and the day after the last one must have four digits too. */
export const day = (name: string) => {
  const error = `${name} must be a date like 2026-01-31`;
  return z.iso
    .date({ error })
    .refine((day) => day > "0001" && day < "9999", { error })
    .optional();
};

/** For `refine`: `from` must not be after `to`. */
export const hasOrderedDates = ({ from, to }: { from?: string | undefined; to?: string | undefined }) =>
  from === undefined || to === undefined || from <= to;
export const unorderedDates = { error: "from must not be after to", path: ["from"] };
