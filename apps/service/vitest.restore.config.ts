import { mergeConfig, type ViteUserConfig } from "vitest/config";
import { withBase } from "../../vitest.base.js";

const restore = {
  name: "restore",
  include: ["test/restore/*.restore.ts"],
  globalSetup: "test/fixtures/global-setup.ts",
};

/** Backup and restore with pgBackRest, which comes from Debian. `pnpm test:restore` runs them; `npm test` does not. */
const config: ViteUserConfig = mergeConfig(withBase(), {
  test: { projects: [{ extends: true, test: restore }] },
});
export default config;
