import { withBase } from "../../vitest.base.js";

/** What measures has the machine to itself: after the other tests, one file at a time. */
const budgets = {
  extends: true as const,
  test: {
    name: "budgets",
    include: ["test/budgets/**/*.slow.test.ts"],
    testTimeout: 540_000,
    fileParallelism: false,
    sequence: { groupOrder: 1 },
  },
};

export default withBase({ test: { projects: [budgets] } }, { test: { exclude: ["test/budgets/**"] } });
