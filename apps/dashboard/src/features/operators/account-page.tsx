import { Page } from "../../components/page.js";

export function AccountPage() {
  return <Page title="Account">…</Page>;
}
