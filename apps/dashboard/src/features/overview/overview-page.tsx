import { Page } from "../../components/page.js";
import { Quickstart } from "../../components/quickstart/quickstart.js";
import { useProjectRef } from "../../components/use-project.js";

export function OverviewPage() {
  return (
    <Page title="Overview">
      <Quickstart projectRef={useProjectRef()} />
    </Page>
  );
}
