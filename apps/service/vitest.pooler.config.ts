import type { ViteUserConfig } from "vitest/config";
import { withBase } from "../../vitest.base.js";

const pooler = {
  name: "pooler",
  include: ["test/pooler/*.pooler.ts"],
  globalSetup: "test/fixtures/global-setup.ts",
  // One file after another: the tests read the log of the PostgreSQL that they share.
  fileParallelism: false,
  testTimeout: 120_000,
};

const base = withBase();

/**
 * Tests with a real pgbouncer, which comes from Debian and not from npm. `pnpm test:pooler` runs them. `npm test` does so too where
 * pgbouncer is installed or CI may install it.
 */
const config: ViteUserConfig = {
  ...base,
  test: {
    ...base.test,
    projects: [{ extends: true, test: pooler }],
    // scripts/test.mjs adds up the counts in this file. It is not the file of the package's other tests.
    reporters: ["default", ["json", { outputFile: "test-results/vitest-pooler.json" }]],
  },
};
export default config;
