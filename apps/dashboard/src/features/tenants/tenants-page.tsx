import { Page } from "../../components/page.js";

export function TenantsPage() {
  return <Page title="Tenants">…</Page>;
}
