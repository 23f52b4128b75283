import { Page } from "../../components/page.js";

export function FilesPage() {
  return <Page title="Files">…</Page>;
}
