import { mergeConfig, type ViteUserConfig } from "vitest/config";
import { withBase } from "../../vitest.base.js";

const templates = {
  name: "templates",
  include: ["test/*.template.ts"],
  fileParallelism: false,
  testTimeout: 1_200_000,
};

/** Every app of `npm create stowage`. `pnpm test:templates` runs these tests; `npm test` does not. */
const config: ViteUserConfig = mergeConfig(withBase(), {
  test: { projects: [{ extends: true, test: templates }] },
});
export default config;
