import { withBase } from "../../vitest.base.js";

export default withBase({ test: { setupFiles: "test/setup-testing-library.ts" } });
