import { mergeConfig, type ViteUserConfig } from "vitest/config";
import { withBase } from "../../vitest.base.js";

const soak = {
  name: "soak",
  include: ["test/soak/*.soak.ts"],
  globalSetup: "test/fixtures/global-setup.ts",
  testTimeout: 24 * 3_600_000,
};

/** Mixed load with faults for MINUTES. `pnpm soak` runs it; `npm test` does not. */
const config: ViteUserConfig = mergeConfig(withBase(), {
  test: { projects: [{ extends: true, test: soak }], disableConsoleIntercept: true },
});
export default config;
