import { mergeConfig, type ViteUserConfig } from "vitest/config";
import { withBase } from "../../vitest.base.js";

const release = { name: "release", include: ["test/*.release.ts"], testTimeout: 600_000 };

/** Tests of a whole release, which download PostgreSQL and other packages. `pnpm test:release` runs them; `npm test` does not. */
const config: ViteUserConfig = mergeConfig(withBase(), {
  test: { projects: [{ extends: true, test: release }] },
});
export default config;
