import { mergeConfig, type ViteUserConfig } from "vitest/config";
import { withBase } from "../../vitest.base.js";

const next = {
  name: "next",
  include: ["test/*.next.ts"],
  fileParallelism: false,
  testTimeout: 1_800_000,
};

/** Today's default apps of create-next-app. `pnpm lab next` runs these tests; `npm test` does not. */
const config: ViteUserConfig = mergeConfig(withBase(), {
  test: { projects: [{ extends: true, test: next }] },
});
export default config;
