import { withBase } from "../../vitest.base.js";

/** What is looked at in a browser: one stage for the run, after the other tests, because some of it measures frames. */
const inBrowser = (name: string, groupOrder: number) => ({
  extends: true as const,
  test: {
    name,
    include: [`test/${name}/**/*.slow.test.ts`],
    globalSetup: `test/${name}/stage/global-setup.ts`,
    testTimeout: 60_000,
    fileParallelism: false,
    sequence: { groupOrder },
  },
});

export default withBase(
  { test: { projects: [inBrowser("widget", 1), inBrowser("dashboard", 2)] } },
  { test: { exclude: ["test/widget/**", "test/dashboard/**"] } },
);
