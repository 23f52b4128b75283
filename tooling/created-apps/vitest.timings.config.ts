import { mergeConfig, type ViteUserConfig } from "vitest/config";
import { withBase } from "../../vitest.base.js";

const timings = {
  name: "timings",
  include: ["test/timings/*.timings.ts"],
  testTimeout: 7_200_000,
};

/** How long it takes from an empty folder to the first stored file. `pnpm time:first-file` runs this. */
const config: ViteUserConfig = mergeConfig(withBase(), {
  test: { projects: [{ extends: true, test: timings }] },
});
export default config;
