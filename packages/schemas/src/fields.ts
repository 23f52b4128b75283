import * as z from "zod";
import { limits } from "./limits.js";
import { textField } from "./text-field.js";

// token, quoted-string and parameter of RFC 9110, sections 5.6.2, 5.6.4 and 8.3.1. Only ASCII, because it is sent as a header.
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const QUOTED = '"(?:[\\t !#-\\[\\]-~]|\\\\[\\t -~])*"';
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?:[ \\t]*;[ \\t]*${TOKEN}=(?:${TOKEN}|${QUOTED}))*$`);

/** Makes a field optional. Null means the same as a missing field: both are parsed as undefined. */
export function optionalField<Schema extends z.ZodType>(schema: Schema) {
  const member = schema
    .nullish()
    .transform((value): z.output<Schema> | undefined => value ?? undefined)
    .optional();
  return schema.description === undefined ? member : member.describe(schema.description);
}

/** The JSON object of a request. */
export const requestBody = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.object(shape, { error: "Request body must be a JSON object" });

export const tenantId = textField("tenant_id", {
  max: limits.tenantIdLength,
  required: true,
}).describe("The ID of your user, compared byte for byte.");

/** Normalised to NFC. */
export const filename = textField("filename", {
  max: limits.filenameLength,
  normalize: "NFC",
  required: true,
}).describe("The file's original name, extension included.");

/**
 * `type/subtype` with optional parameters. An empty text means the same as a missing field, because browsers report an
 * empty type for files that they do not know.
 */
export const contentType = textField("content_type", { max: limits.contentTypeLength })
  .refine((type) => type === "" || MEDIA_TYPE.test(type), {
    error: 'content_type must be a media type like "image/png"',
  })
  .transform((type) => type || undefined)
  .describe("Media type. If it is missing, the filename decides.");

export const size = z
  .int({ error: "size must be a whole number of bytes" })
  .min(0, { error: "size must be at least 0 bytes" })
  .max(limits.fileSizeBytes, { error: `size must be at most ${limits.fileSizeBytes} bytes` })
  .describe(
    "Bytes. Give it whenever you know it: it is reserved in the quota and signed, so storage refuses any other length.",
  );

/** The whole size of a multipart upload. It is required, because the upload reserves it. */
export const multipartSize = z
  .int({
    error: ({ input }) =>
      input === undefined || input === null ? "size is required" : "size must be a whole number of bytes",
  })
  .min(1, { error: "size must be at least 1 byte: an empty file is uploaded with upload/" })
  .max(limits.multipartFileSizeBytes, {
    error: `size must be at most ${limits.multipartFileSizeBytes} bytes`,
  })
  .describe("Bytes of the whole file. Reserved in the quota from the start.");

export const partSize = z
  .int({ error: "part_size must be a whole number of bytes" })
  .min(limits.minPartSizeBytes, { error: `part_size must be at least ${limits.minPartSizeBytes} bytes` })
  .max(limits.maxPartSizeBytes, { error: `part_size must be at most ${limits.maxPartSizeBytes} bytes` })
  .describe("Bytes of each part except the last. If it is missing, the service chooses it.");

/** From 1 on. */
export const partNumber = z
  .int({ error: "number must be a whole number" })
  .min(1, { error: "number must be at least 1" })
  .max(limits.parts, { error: `number must be at most ${limits.parts}` });

/** Finds the same file again, on any device. */
export const fingerprint = textField("fingerprint", { max: limits.fingerprintLength }).describe(
  "Your own text to recognise the file of this upload.",
);

/** Base64 of the 16 bytes of an MD5. Only two bits of the last character before `==` are used. */
export const contentMd5 = z
  .string({ error: "content_md5 must be a string" })
  .regex(/^[A-Za-z0-9+/]{21}[AQgw]==$/, { error: "content_md5 must be a base64 MD5 of 24 characters" })
  .describe("Base64 MD5 of the bytes. Storage refuses other bytes.");

/** `Cache-Control` of the object (RFC 9111, section 5.2). */
export const cacheControl = z
  .string({ error: "cache_control must be a string" })
  .regex(new RegExp(`^[!-~](?:[ -~]{0,${limits.cacheControlLength - 2}}[!-~])?$`), {
    error: `cache_control must be 1 to ${limits.cacheControlLength} visible ASCII characters`,
  })
  .describe("The Cache-Control that storage sends with the file. The PUT must send it.");

export const visibilities = ["private", "public"] as const;
export type Visibility = (typeof visibilities)[number];

/** Who may read the file. */
export const visibility = z.enum(visibilities, {
  error: ({ input }) =>
    input === undefined ? "visibility is required" : "visibility must be private or public",
});

/** Of a new file. */
export const newVisibility = visibility.describe(
  "Default: private. Everyone may read a public file at its public_url.",
);

/** Seconds after which the file is deleted by itself. */
export const expiresAfter = z
  .int({ error: "expires_after must be a whole number of seconds" })
  .min(limits.minExpiresAfterSeconds, {
    error: `expires_after must be at least ${limits.minExpiresAfterSeconds} seconds`,
  })
  .max(limits.maxExpiresAfterSeconds, {
    error: `expires_after must be at most ${limits.maxExpiresAfterSeconds} seconds`,
  })
  .describe("Seconds until the service deletes the file.");

// Created once: to create a schema costs a hundred times more than to parse with it.
const metadataText = textField("metadata", { max: limits.metadataBytes });

/** Visible ASCII characters (RFC 5234, VCHAR). */
export const idempotencyKey = z
  .string({ error: "Idempotency-Key must be a string" })
  .regex(new RegExp(`^[!-~]{1,${limits.idempotencyKeyLength}}$`), {
    error: `Idempotency-Key must be 1 to ${limits.idempotencyKeyLength} visible ASCII characters`,
  })
  .describe(
    `Makes the request safe to repeat for 24 hours: 1 to ${limits.idempotencyKeyLength} visible ASCII characters, your choice for each upload of a tenant.`,
  );

/** The customer's own labels: a flat object of strings. The service stores and returns them unchanged. */
export const metadata = metadataObject({ type: "string" })
  .superRefine((members, context) => {
    const problem = membersProblem(members, {
      maxMembers: limits.metadataMembers,
      maxBytes: limits.metadataBytes,
    });
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  })
  .transform((members) => members as Record<string, string>)
  .describe(
    `Your own labels: a flat object of at most ${limits.metadataMembers} strings, and at most ${limits.metadataBytes} bytes as JSON.`,
  );

/** A change of {@link metadata}, whose limits apply to the result and not to the change. */
export const metadataChange = metadataObject({ type: ["string", "null"] })
  .superRefine((members, context) => {
    const problem = membersProblem(members, { mayBeNull: true });
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  })
  .transform((members) => members as Record<string, string | null>)
  .describe("Members to set, or to remove if they are null. All other members stay.");

/** Not z.record, because it skips a member named __proto__, which JSON can contain. */
function metadataObject(member: { type: "string" | ["string", "null"] }) {
  return z.unknown().meta({
    type: "object",
    additionalProperties: member,
    ...(member.type === "string" && { maxProperties: limits.metadataMembers }),
  });
}

/** What is wrong with an object of labels. */
export function membersProblem(
  members: unknown,
  {
    mayBeNull = false,
    maxMembers = Infinity,
    maxBytes = Infinity,
  }: { mayBeNull?: boolean; maxMembers?: number; maxBytes?: number },
): string | undefined {
  if (typeof members !== "object" || members === null || Array.isArray(members)) {
    return "metadata must be an object";
  }
  const entries: [string, unknown][] = Object.entries(members);
  if (entries.length > maxMembers) {
    return `metadata must have at most ${maxMembers} members`;
  }
  for (const [name, value] of entries) {
    for (const text of mayBeNull && value === null ? [name] : [name, value]) {
      if (typeof text !== "string") {
        return mayBeNull ? "metadata members must be strings or null" : "metadata members must be strings";
      }
      const checked = metadataText.safeParse(text);
      if (!checked.success) return checked.error.issues[0]?.message ?? "metadata is not valid";
    }
  }
  if (maxBytes < Infinity && new TextEncoder().encode(JSON.stringify(members)).length > maxBytes) {
    return `metadata must be at most ${maxBytes} bytes`;
  }
  return undefined;
}

/** A member of an upload request that cannot change afterwards. A request that contains it is refused, because it would not be obeyed. */
export const unchangeable = (name: string) =>
  optionalField(
    z
      .unknown()
      .meta({ type: "string" })
      .refine((value) => value === undefined || value === null, {
        error: `${name} cannot be changed: storage keeps it with the object`,
      }),
  ).describe("Refused: storage keeps it with the object.");

export const filePath = textField("file_path", {
  max: limits.objectKeyBytes,
  required: true,
}).describe("The file's permanent identifier.");

/** The stored file that an upload replaces. */
export const replacedPath = textField("replaces", { max: limits.objectKeyBytes, required: true }).describe(
  "The file_path of a stored file of the same tenant. It is deleted when this upload is stored, into the trash if the project has one.",
);

/** A version of a stored file. */
export const versionPath = textField("version", { max: limits.objectKeyBytes, required: true });

/** Entries per page. */
export const pageLimit = z.coerce
  .number({ error: "limit must be a number" })
  .int({ error: "limit must be a whole number" })
  .min(1, { error: "limit must be at least 1" })
  .max(limits.maxPageSize, { error: `limit must be at most ${limits.maxPageSize}` })
  .default(limits.pageSize)
  .describe("Entries per page.");

/** The `next_cursor` of the previous page. */
export const cursor = z
  .string({ error: "cursor must be a string" })
  .describe("The next_cursor of the previous page.");

/** Part of a name; case does not matter. An empty text means no search. */
export const searchText = textField("q", { max: limits.searchLength })
  .transform((text) => text || undefined)
  .describe("Part of the name; case does not matter.");

/** Bytes, or null for the project's default. Required, so that a forgotten field never removes a quota. */
export const quotaBytes = z
  .int({
    error: ({ input }) =>
      input === undefined
        ? "quota_bytes is required"
        : "quota_bytes must be a whole number of bytes, or null for the project's default",
  })
  .min(0, { error: "quota_bytes must be at least 0" })
  .nullable()
  .describe("Bytes that the tenant may use. Null means the project's default.");

/** A time in an answer. The format tells generators of clients that it is one. */
export const timestamp = z.string().meta({ format: "date-time" }).describe("RFC 3339, UTC.");

/** The tenant that must own the file of a `file_path`. */
export const ownerTenantId = tenantId.describe("Must own the file, else 404.");

/** The name of a preset of image variants. */
export const presetName = z
  .string({ error: "variant must be the name of a preset" })
  .max(limits.presetNameLength, {
    error: `a preset's name has at most ${limits.presetNameLength} characters`,
  })
  .regex(/^[a-z0-9][a-z0-9_-]*$/, {
    error: "a preset's name has a-z, 0-9, - and _ and starts with a letter or digit",
  });
