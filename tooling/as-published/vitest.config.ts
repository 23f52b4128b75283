import { withBase } from "../../vitest.base.js";

// No page of the API is written unasked: a new entry without one fails, here as in CI.
export default withBase(
  { test: { update: "none" } },
  { test: { globalSetup: "./test/fixtures/global-setup.ts" } },
);
