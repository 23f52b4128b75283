import { mergeConfig, type ViteUserConfig } from "vitest/config";
import { withBase } from "../../vitest.base.js";

const ceph = { name: "ceph", include: ["test/ceph/*.ceph.ts"], globalSetup: "test/fixtures/global-setup.ts" };

/** Tests of features that dev-store does not have, such as bucket notifications. `pnpm test:ceph` runs them; `npm test` does not. */
const config: ViteUserConfig = mergeConfig(withBase(), {
  test: { projects: [{ extends: true, test: ceph }] },
});
export default config;
