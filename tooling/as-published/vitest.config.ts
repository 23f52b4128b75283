import { withBase } from "../../vitest.base.js";

// With "none" the test fails if an API file is missing. By default Vitest would create the file, except in CI.
export default withBase(
  { test: { update: "none" } },
  { test: { globalSetup: "./test/fixtures/global-setup.ts", testTimeout: 540_000 } },
);
