import { mergeConfig, type ViteUserConfig } from "vitest/config";
import { withBase } from "../../vitest.base.js";

const image = {
  name: "image",
  include: ["test/containers/*.container.ts"],
  globalSetup: "test/fixtures/global-setup.ts",
  testTimeout: 60_000,
};

/** Tests of the built container image. `pnpm test:image` builds it and runs them; `npm test` does not. */
const config: ViteUserConfig = mergeConfig(withBase(), {
  test: { projects: [{ extends: true, test: image }] },
});
export default config;
