import { Page } from "../../components/page.js";

export function TenantPage() {
  return <Page title="Tenant">…</Page>;
}
