import { mergeConfig, type ViteUserConfig } from "vitest/config";
import { withBase } from "../../vitest.base.js";

const clients = {
  name: "clients",
  include: ["test/clients/*.clients.ts"],
  globalSetup: "test/fixtures/global-setup.ts",
  testTimeout: 120_000,
  hookTimeout: 300_000,
};

/** Clients generated for Python and Go. `pnpm test:clients` installs the generator and runs them; `npm test` does not. */
const config: ViteUserConfig = mergeConfig(withBase(), {
  test: { projects: [{ extends: true, test: clients }] },
});
export default config;
