import { Page } from "../../components/page.js";

export function KeyPage() {
  return <Page title="API key">…</Page>;
}
