import { mergeConfig, type ViteUserConfig } from "vitest/config";
import { withBase } from "../../vitest.base.js";

const ceph = { name: "ceph", include: ["test/ceph/*.ceph.ts"], globalSetup: "test/fixtures/global-setup.ts" };

/** What Ceph alone can be asked. `pnpm test:ceph` runs the project `ceph` of it; it is no part of `npm test`. */
const config: ViteUserConfig = mergeConfig(withBase(), {
  test: { projects: [{ extends: true, test: ceph }] },
});
export default config;
