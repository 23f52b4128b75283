import { withNightlyBase } from "../../vitest.base.js";

/** The long versions of the random histories and of the kills. `pnpm test:nightly` runs them; `npm test` runs short versions. */
export default withNightlyBase({ test: { globalSetup: "test/fixtures/global-setup.ts" } });
