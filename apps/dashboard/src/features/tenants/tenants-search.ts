import { type ListSearch, type Orders, readListSearch } from "../../components/list-search.js";
import type { Inputs } from "../../trpc.js";

type TenantSort = NonNullable<Inputs["tenants"]["list"]["sort"]>;

export const tenantOrders: Orders<TenantSort> = { tenant_id: "asc", used_bytes: "desc", created_at: "desc" };

/** What of the list of tenants lives in its address. */
export type TenantsSearch = ListSearch<TenantSort>;

export const readTenantsSearch = (search: Record<string, unknown>): TenantsSearch =>
  readListSearch(search, tenantOrders);
