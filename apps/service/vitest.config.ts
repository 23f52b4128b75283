import { withBase } from "../../vitest.base.js";

export default withBase({}, { test: { globalSetup: "test/fixtures/global-setup.ts" } });
