import * as z from "zod";
import { camelKeys } from "../casing.js";
import { cursor, filePath, ownerTenantId, pageLimit } from "../fields.js";
import type { About, Call } from "../call.js";
import { link } from "../link.js";

/** Query of `GET /api/storage/links/`. */
export const listLinksQuery = z
  .object({
    tenant_id: ownerTenantId.describe("Only links of this tenant's files.").optional(),
    file_path: filePath.describe("Only links of this file.").optional(),
    limit: pageLimit,
    cursor: cursor.optional(),
  })
  .refine((query) => query.tenant_id !== undefined || query.file_path !== undefined, {
    error: "tenant_id or file_path is required",
  })
  .transform(camelKeys);
export type ListLinksQuery = z.output<typeof listLinksQuery>;

/** Answer of `GET /api/storage/links/`, newest first. */
export const listLinksResponse = z.object({ links: z.array(link), next_cursor: z.string().nullable() });
export type ListLinksResponse = z.infer<typeof listLinksResponse>;

export const call = {
  method: "GET",
  path: "/api/storage/links/",
  query: listLinksQuery,
  answer: listLinksResponse,
} as const satisfies Call;

export const about = {
  tag: "Links",
  names: { answer: "LinkList" },
  lane: "list",
  summary: "List share links, newest first",
  description:
    "Needs tenant_id, file_path or both. Links that have ended or were used up stay in the list until they are revoked or their file is deleted. No answer has the URL of a link.",
  errors: ["tenant_id_required"],
  example: { tenant_id: "user_42", limit: 10 },
} as const satisfies About;
