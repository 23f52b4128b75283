import * as z from "zod";
import { limits } from "./limits.js";
import { wireText } from "./text.js";

// token, quoted-string and parameter as RFC 9110 sections 5.6.2, 5.6.4 and 8.3.1 define them; ASCII, since it is sent as a header.
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const QUOTED = '"(?:[\\t !#-\\[\\]-~]|\\\\[\\t -~])*"';
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?:[ \\t]*;[ \\t]*${TOKEN}=(?:${TOKEN}|${QUOTED}))*$`);

/** A member that may be left out: null says the same as not naming it, and both are undefined from then on. */
export function orAbsent<Schema extends z.ZodType>(schema: Schema) {
  const member = schema
    .nullish()
    .transform((value): z.output<Schema> | undefined => value ?? undefined)
    .optional();
  return schema.description === undefined ? member : member.describe(schema.description);
}

/** The customer's own user ID, compared byte for byte. */
export const tenantId = wireText("tenant_id", {
  max: limits.tenantIdLength,
  required: true,
}).describe("The customer's own user ID, compared byte for byte.");

/** The file's original name, extension included, in NFC. */
export const filename = wireText("filename", {
  max: limits.filenameLength,
  normalize: "NFC",
  required: true,
}).describe("The file's original name, extension included.");

/**
 * `type/subtype` with optional parameters. A browser that does not know a file's type says so with "": it means the same as
 * leaving the member out.
 */
export const contentType = wireText("content_type", { max: limits.contentTypeLength })
  .refine((type) => type === "" || MEDIA_TYPE.test(type), {
    error: 'content_type must be a media type like "image/png"',
  })
  .transform((type) => type || undefined)
  .describe("Media type; left out, it is found by the filename.");

/** Bytes. */
export const size = z
  .int({ error: "size must be a whole number of bytes" })
  .min(0, { error: "size must be at least 0 bytes" })
  .max(limits.fileSizeBytes, { error: `size must be at most ${limits.fileSizeBytes} bytes` })
  .describe(
    "Bytes. Signed into the URL, so that storage refuses any other length, and reserved against the quota.",
  );

/** Base64 of the 16 bytes of an MD5. The last character before `==` has only its upper two bits in use. */
export const contentMd5 = z
  .string({ error: "content_md5 must be a string" })
  .regex(/^[A-Za-z0-9+/]{21}[AQgw]==$/, { error: "content_md5 must be a base64 MD5 of 24 characters" })
  .describe("Base64 MD5 of the bytes. Signed into the URL, so that storage refuses other bytes.");

// Made once: a schema costs a hundred times what it costs to parse by it.
const metadataText = wireText("metadata", { max: limits.metadataBytes });

/** The customer's own labels: a flat object of strings, kept and returned, never interpreted. */
export const metadata = z
  // Not z.record: it passes over a member named __proto__, which JSON may well have.
  .unknown()
  .meta({ type: "object", additionalProperties: { type: "string" }, maxProperties: limits.metadataMembers })
  .superRefine((members, context) => {
    const refuse = (message: string) => context.addIssue({ code: "custom", message });
    if (typeof members !== "object" || members === null || Array.isArray(members)) {
      return refuse("metadata must be an object");
    }
    const entries: unknown[][] = Object.entries(members);
    if (entries.length > limits.metadataMembers) {
      return refuse(`metadata must have at most ${limits.metadataMembers} members`);
    }
    for (const text of entries.flat()) {
      if (typeof text !== "string") return refuse("metadata members must be strings");
      const checked = metadataText.safeParse(text);
      if (!checked.success) return refuse(checked.error.issues[0]?.message ?? "metadata is not valid");
    }
    if (new TextEncoder().encode(JSON.stringify(members)).length > limits.metadataBytes) {
      refuse(`metadata must be at most ${limits.metadataBytes} bytes`);
    }
  })
  .transform((members) => members as Record<string, string>)
  .describe(`Your own labels, kept and returned: at most ${limits.metadataBytes} bytes as JSON.`);

/** The permanent identifier of a file, as the upload request answered it. */
export const filePath = wireText("file_path", {
  max: limits.objectKeyBytes,
  required: true,
}).describe("The permanent identifier of a file, as the upload request answered it.");

/** How many entries of a list one page holds. */
export const pageLimit = z.coerce
  .number({ error: "limit must be a number" })
  .int({ error: "limit must be a whole number" })
  .min(1, { error: "limit must be at least 1" })
  .max(limits.maxPageSize, { error: `limit must be at most ${limits.maxPageSize}` })
  .default(limits.pageSize)
  .describe("Entries of one page.");

/** The `next_cursor` of the page before. */
export const cursor = z
  .string({ error: "cursor must be a string" })
  .describe("The next_cursor of the page before.");

/** Part of a name, in any case. Nothing is the same as no search. */
export const searchText = wireText("q", { max: limits.searchLength })
  .transform((text) => text || undefined)
  .describe("Part of the name, in any case. A page of a search may be short and still have a next one.");

/** Bytes of a quota, or null for the project's default. It must be named, so that a forgotten member never lifts one. */
export const quotaBytes = z
  .int({
    error: ({ input }) =>
      input === undefined
        ? "quota_bytes is required"
        : "quota_bytes must be a whole number of bytes, or null for the project's default",
  })
  .min(0, { error: "quota_bytes must be at least 0" })
  .nullable()
  .describe("Bytes that the tenant may use; null for the project's default.");

/** Beside a file_path. */
export const owner = tenantId.describe("Must own the file; else it is not found.");
