import * as z from "zod";
import { camelKeys } from "../casing.js";
import { pageLimit, cursor, searchText } from "../fields.js";
import type { About, Call } from "../call.js";
import { tenant } from "../tenant.js";

export const tenantSorts = ["created_at", "used_bytes"] as const;
export type TenantSort = (typeof tenantSorts)[number];

/** Query of `GET /api/storage/tenants/`. */
export const listTenantsQuery = z
  .object({
    q: searchText.optional(),
    sort: z
      .enum(tenantSorts, { error: `sort must be one of ${tenantSorts.join(", ")}` })
      .default("created_at")
      .describe("created_at (the default): newest first. used_bytes: largest first."),
    limit: pageLimit,
    cursor: cursor.optional(),
  })
  .transform(camelKeys);
export type ListTenantsQuery = z.output<typeof listTenantsQuery>;

/** Answer of `GET /api/storage/tenants/`. */
export const listTenantsResponse = z.object({ tenants: z.array(tenant), next_cursor: z.string().nullable() });
export type ListTenantsResponse = z.infer<typeof listTenantsResponse>;

export const call = {
  method: "GET",
  path: "/api/storage/tenants/",
  query: listTenantsQuery,
  answer: listTenantsResponse,
} as const satisfies Call;

export const about = {
  tag: "Tenants",
  names: { answer: "TenantList" },
  lane: "list",
  summary: "List tenants, newest or largest first",
  description:
    "Sorted by created_at, newest first, or by used_bytes, largest first. Paging and search (q) work as in the list of files.",
  errors: [],
  example: { sort: "used_bytes", limit: 10 },
} as const satisfies About;
