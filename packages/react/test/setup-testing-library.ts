import { afterAll, afterEach } from "vitest";
import { refuseBareText } from "./refuse-bare-text.js";
import { refuseImpureRender } from "./refuse-impure-render.js";

// In every test, so that it holds in each state that a test brings about.
afterAll(refuseImpureRender());

// Most tests have no page. Loading the library for each of them took a tenth of the run.
if (typeof document !== "undefined") {
  refuseBareText();
  const { configure } = await import("@testing-library/react");
  // The library waits one second by default. That is too short when other test suites keep the machine busy.
  configure({ asyncUtilTimeout: 30_000 });
  // Uploads outlive their components. A test must not see those of the test before it.
  const { defaultUploadClient } = await import("@stowage/client");
  afterEach(() => defaultUploadClient.clear());
  // In a page, a person chooses a file long after the first view.
  const { styledFiles } = await import("../src/parts/files-on-demand.js");
  await styledFiles.load();
}
