import { Page } from "../../components/page.js";

export function MembersPage() {
  return <Page title="Members">…</Page>;
}
