import * as z from "zod";
import { membersProblem } from "./fields.js";
import { folderField } from "./folder.js";
import { limits } from "./limits.js";

/*
 * Filters of `GET /api/storage/files/`. The input is a text of the query, or in typed programs what the text says.
 */

/** Members that a file must have. The service reads them from `metadata[member]=value`. */
const metadataFilter = z
  .unknown()
  .meta({ type: "object", additionalProperties: { type: "string" }, maxProperties: limits.metadataFilters })
  .superRefine((members, context) => {
    const problem = membersProblem(members, { maxMembers: limits.metadataFilters });
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  })
  .transform((members) => members as Record<string, string>)
  .describe(
    `Files with this member: \`metadata[invoice]=1001\`, up to ${limits.metadataFilters} of them. Compared byte for byte.`,
  );

const TOKEN = "[!#$%&'+.^_`|~0-9A-Za-z-]+";

/** In lower case. */
const contentTypeFilter = z
  .string({ error: "content_type must be a string" })
  .max(limits.contentTypeLength, {
    error: `content_type must be at most ${limits.contentTypeLength} characters`,
  })
  .regex(new RegExp(`^${TOKEN}/(?:${TOKEN}|\\*)$`), {
    error: 'content_type must be a media type without parameters, like "image/png" or "image/*"',
  })
  .transform((type) => type.toLowerCase())
  .describe('A media type like "image/png", or a group like "image/*". Case and parameters do not matter.');

/** Years that PostgreSQL and RFC 3339 have, with a margin for offsets. */
const EARLIEST = Date.parse("0001-01-02T00:00:00Z");
const LATEST = Date.parse("9999-12-30T00:00:00Z");

function time(name: string) {
  const error = `${name} must be a time like 2026-01-31T12:00:00Z`;
  return z.iso
    .datetime({ offset: true, error })
    .refine((text) => Date.parse(text) >= EARLIEST && Date.parse(text) <= LATEST, { error })
    .transform((text) => new Date(text));
}

/** Not z.coerce.number, which reads an empty text as 0. */
function bytes(name: string) {
  return z
    .unknown()
    .meta({ type: "integer", format: "int64", minimum: 0 })
    .refine((value) => /^\d{1,15}$/.test(String(value)), { error: `${name} must be a whole number of bytes` })
    .transform(Number);
}

export const fileFilters = {
  metadata: metadataFilter.optional(),
  folder: folderField("folder").describe("In this folder, not below it.").optional(),
  folder_below: folderField("folder_below").describe("In this folder or below it.").optional(),
  content_type: contentTypeFilter.optional(),
  created_from: time("created_from").describe("Requested at this time or later. RFC 3339.").optional(),
  created_to: time("created_to").describe("Requested at this time or earlier.").optional(),
  size_from: bytes("size_from")
    .describe("At least this many bytes. A file has no size until it is stored.")
    .optional(),
  size_to: bytes("size_to").describe("At most this many bytes.").optional(),
};
