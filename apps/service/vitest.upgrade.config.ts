import { mergeConfig, type ViteUserConfig } from "vitest/config";
import { withBase } from "../../vitest.base.js";

const upgrade = {
  name: "upgrade",
  include: ["test/upgrade/*.upgrade.ts"],
  globalSetup: "test/fixtures/global-setup.ts",
};

/** An older version beside this one. `pnpm test:upgrade` builds it and runs these tests; `npm test` does not. */
const config: ViteUserConfig = mergeConfig(withBase(), {
  test: { projects: [{ extends: true, test: upgrade }] },
});
export default config;
