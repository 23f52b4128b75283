import { withBase } from "../../vitest.base.js";

/** The widget in a browser: one stage for the run, after the other tests, because it measures frames. */
const widget = {
  extends: true as const,
  test: {
    name: "widget",
    include: ["test/widget/**/*.slow.test.ts"],
    globalSetup: "test/widget/stage/global-setup.ts",
    testTimeout: 60_000,
    fileParallelism: false,
    sequence: { groupOrder: 1 },
  },
};

export default withBase({ test: { projects: [widget] } }, { test: { exclude: ["test/widget/**"] } });
