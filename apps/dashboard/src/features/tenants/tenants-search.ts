import { listParams, type Orders } from "../../components/list-search.js";
import { type SearchOf, searchParams, text } from "../../components/search-params.js";
import type { Inputs } from "../../trpc.js";

type TenantSort = NonNullable<Inputs["tenants"]["list"]["sort"]>;

export const tenantOrders: Orders<TenantSort> = { tenant_id: "asc", used_bytes: "desc", created_at: "desc" };

export const validateTenantsSearch = searchParams({ q: text, ...listParams(tenantOrders) });
export type TenantsSearch = SearchOf<typeof validateTenantsSearch>;
