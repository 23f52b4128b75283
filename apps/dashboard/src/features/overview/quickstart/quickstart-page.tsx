import { Page } from "../../../components/page.js";
import { useProjectRef } from "../../../components/use-project.js";
import { quickstart } from "./quickstart-texts.js";
import { Quickstart } from "./quickstart.js";

/** How to send files to the project. Stays reachable after the first one. */
export function QuickstartPage() {
  const projectRef = useProjectRef();
  return (
    <Page title={quickstart.title}>
      <Quickstart projectRef={projectRef} />
    </Page>
  );
}
