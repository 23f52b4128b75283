import { mergeConfig, type ViteUserConfig } from "vitest/config";
import { withBase } from "../../vitest.base.js";

const failover = {
  name: "failover",
  include: ["test/failover/*.failover.ts"],
  globalSetup: "test/fixtures/global-setup.ts",
};

/** Tests with a replicated database behind HAProxy, which comes from Debian, as does Patroni. `pnpm test:failover` runs them; `npm test` does not. */
const config: ViteUserConfig = mergeConfig(withBase(), {
  test: { projects: [{ extends: true, test: failover }] },
});
export default config;
