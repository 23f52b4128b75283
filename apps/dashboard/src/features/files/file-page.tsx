import { Page } from "../../components/page.js";

export function FilePage() {
  return <Page title="File">…</Page>;
}
