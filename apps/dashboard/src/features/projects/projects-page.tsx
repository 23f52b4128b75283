import { Page } from "../../components/page.js";

export function ProjectsPage() {
  return <Page title="Projects">…</Page>;
}
