import { withBase } from "../../vitest.base.js";

// A missing API file fails the test instead of being created, also outside CI.
export default withBase(
  { test: { update: "none" } },
  { test: { globalSetup: "./test/fixtures/global-setup.ts" } },
);
