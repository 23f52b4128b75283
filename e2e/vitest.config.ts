import { withBase } from "../vitest.base.js";

/** Each step of a test has its own limit of 15 or 30 s. Many steps may take this long together on a busy machine. */
const TEST_TIMEOUT_MS = 360_000;

/** Tests of one running Stowage, which the global setup starts. Most of them use Chromium. */
const shared = {
  extends: true as const,
  test: {
    name: "shared",
    include: ["{dashboard,docs,element,example,server,widget}/**/*.slow.test.ts"],
    globalSetup: "fixtures/global-setup.ts",
    testTimeout: TEST_TIMEOUT_MS,
    // A worker runs many files, so that it loads Playwright and starts Chromium only once.
    isolate: false,
    // These tests often wait for a timer or the browser, so three files are needed to keep two cores busy.
    maxWorkers: 3,
    sequence: { groupOrder: 1 },
  },
};

/** Tests that measure frames. They run last and alone. */
const frames = {
  extends: true as const,
  test: {
    name: "frames",
    include: ["frames/**/*.slow.test.ts"],
    globalSetup: "fixtures/global-setup.ts",
    testTimeout: TEST_TIMEOUT_MS,
    fileParallelism: false,
    sequence: { groupOrder: 2 },
  },
};

/** Tests that start and stop their own processes. */
const ownProcesses = {
  test: {
    testTimeout: 540_000,
    maxWorkers: 2,
    maxConcurrency: 2,
  },
};

export default withBase({ test: { projects: [shared, frames] } }, ownProcesses, {
  folders: "npm-start",
  debian: { test: { include: ["browsers/*.debian.ts"], globalSetup: "fixtures/global-setup.ts" } },
});
