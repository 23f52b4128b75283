import { readFileSync } from "node:fs";
import { mergeConfig, type ViteUserConfig } from "vitest/config";
import { withBase } from "../../vitest.base.js";

/** The slow tests that are left out, and why. `pnpm test:citus` prints it. */
const notOnCitus = JSON.parse(
  readFileSync(new URL("test/citus/not-on-citus.json", import.meta.url), "utf8"),
) as Record<string, string>;
const globalSetup = "test/fixtures/global-setup.ts";
const slow = { globalSetup, maxWorkers: 2, isolate: false, exclude: Object.keys(notOnCitus) };
const citus = { name: "citus", include: ["test/citus/*.citus.ts"], globalSetup, testTimeout: 60_000 };
const faults = { name: "faults", include: ["test/citus/*.faults.ts"], globalSetup, testTimeout: 3_600_000 };

/** The service's slow tests on Citus, and tests of Citus itself. `pnpm test:citus` runs them; `npm test` does not. */
const config: ViteUserConfig = mergeConfig(withBase({}, { test: slow }), {
  test: {
    projects: [
      { extends: true, test: citus },
      { extends: true, test: faults },
    ],
  },
});
export default config;
