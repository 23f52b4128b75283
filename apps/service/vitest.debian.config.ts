import { withDebianBase } from "../../vitest.base.js";

/** Tests with real servers that come from Debian and not from npm, such as pgbouncer. `pnpm test:debian` runs them. */
export default withDebianBase({
  test: {
    globalSetup: "test/fixtures/global-setup.ts",
    // One file after another: some tests read the log of the PostgreSQL that they share.
    fileParallelism: false,
  },
});
