import { Page } from "../../components/page.js";

export function OverviewPage() {
  return <Page title="Overview">…</Page>;
}
