import { mergeConfig, type ViteUserConfig } from "vitest/config";
import { withBase } from "../../vitest.base.js";

const ceph = { name: "ceph", include: ["test/ceph/*.ceph.ts"], globalSetup: "test/fixtures/global-setup.ts" };

/** The tests that need Ceph. `pnpm test:ceph` runs the project `ceph`; `npm test` does not. */
const config: ViteUserConfig = mergeConfig(withBase(), {
  test: { projects: [{ extends: true, test: ceph }] },
});
export default config;
