import * as z from "zod";
import { camelKeys } from "../casing.js";
import { tenantId, cursor, timestamp } from "../fields.js";
import { file } from "../file.js";
import type { About, Call } from "../call.js";
import { link } from "../link.js";
import { tenant } from "../tenant.js";

/** Query of `GET /api/storage/tenants/export/`. */
export const exportTenantQuery = z
  .object({
    tenant_id: tenantId,
    after: cursor
      .describe("The cursor of the last line that arrived: the export continues after it.")
      .optional(),
  })
  .transform(camelKeys);
export type ExportTenantQuery = z.output<typeof exportTenantQuery>;

/**
 * A line of the answer of `GET /api/storage/tenants/export/`. Not `z.discriminatedUnion`: zod 4.0 declares its type with other
 * parameters than later versions.
 */
export const exportLine = z.union([
  tenant.extend({ type: z.literal("tenant") }),
  file.extend({
    type: z.literal("file"),
    cursor: z.string().describe("Pass it as after to continue after this line."),
    presigned_url: z.string().nullable().describe("Downloads the file. Null unless the file is stored."),
    url_expires_at: timestamp.nullable().describe("One hour later, or when the file expires."),
  }),
  link.extend({
    type: z.literal("link"),
    cursor: z.string().describe("Pass it as after to continue after this line."),
  }),
  z.object({
    type: z.literal("end"),
    files: z.int().describe("Files in this answer."),
    links: z.int().describe("Share links in this answer."),
  }),
]);
export type ExportLine = z.infer<typeof exportLine>;

export const call = {
  method: "GET",
  path: "/api/storage/tenants/export/",
  query: exportTenantQuery,
  answer: exportLine,
  isStream: true,
} as const satisfies Call;

export const about = {
  tag: "Tenants",
  names: { answer: "ExportLine" },
  lane: "list",
  summary: "Export what is known of a tenant",
  description:
    "Answers one JSON value a line (NDJSON): the tenant, its files, oldest first, each with a download URL for an hour at most, its share links, newest first, without their URLs, and a line of the type end. If that line is missing, repeat the request with the cursor of the last line as after. Such an answer has no line about the tenant.",
  errors: ["tenant_id_required", "tenant_not_found"],
  example: { tenant_id: "user_42" },
} as const satisfies About;
