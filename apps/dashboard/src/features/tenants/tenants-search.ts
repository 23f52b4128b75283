import type { Inputs } from "../../trpc.js";

const sorts = [
  "tenant_id",
  "used_bytes",
  "created_at",
] as const satisfies Inputs["tenants"]["list"]["sort"][];

/** What of the list of tenants lives in its address. */
export interface TenantsSearch {
  q?: string;
  sort?: (typeof sorts)[number];
  order?: "asc" | "desc";
  cursor?: string;
}

/** Whatever else an address says is left out. */
export function readTenantsSearch(search: Record<string, unknown>): TenantsSearch {
  const { q, order, cursor } = search;
  const sort = sorts.find((name) => name === search["sort"]);
  return {
    // The router reads an ID that is all digits as a number.
    ...(typeof q === "string" || typeof q === "number" ? { q: String(q) } : {}),
    ...(sort ? { sort } : {}),
    ...(order === "asc" || order === "desc" ? { order } : {}),
    ...(typeof cursor === "string" ? { cursor } : {}),
  };
}
