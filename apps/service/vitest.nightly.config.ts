import { withNightlyBase } from "../../vitest.base.js";

/** The long random histories and the many kills. `pnpm test:nightly` runs them; `npm test` runs short versions. */
export default withNightlyBase({ test: { globalSetup: "test/fixtures/global-setup.ts" } });
