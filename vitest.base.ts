import { mergeConfig, type ViteUserConfig } from "vitest/config";

const TESTS = ["{src,test}/**/*.test.{ts,tsx}"];
const SLOW_TESTS = ["{src,test}/**/*.slow.test.{ts,tsx}"];

const conditions = ["source", "node", "development|production"];
const fast = { extends: true, test: { name: "fast", include: TESTS, exclude: SLOW_TESTS } };
const slowProject = { extends: true, test: { name: "slow", include: SLOW_TESTS, testTimeout: 60_000 } };

const base = {
  // Our own packages are read as source, so a test never runs against a stale build: in tests, and in globalSetup,
  // which has an environment of its own.
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  environments: { __vitest__: { resolve: { conditions } } },
  test: {
    // The counts go where scripts/test.mjs adds them up.
    reporters: ["default", ["json", { outputFile: "test-results/vitest.json" }]],
    testTimeout: 20_000,
    hookTimeout: 120_000,
    passWithNoTests: true,
  },
} satisfies ViteUserConfig;

/**
 * What every package's vitest.config.ts is made of. Two projects: `fast` answers while one types, `slow` (`*.slow.test.ts`:
 * databases, browsers, processes that are killed) runs with it in `npm test`.
 *
 * @param slow settings of the slow project alone, such as the `globalSetup` that starts its servers
 */
export function withBase(config: ViteUserConfig = {}, slow: ViteUserConfig = {}): ViteUserConfig {
  return mergeConfig(
    base,
    mergeConfig(config, { test: { projects: [fast, mergeConfig(slowProject, slow)] } }),
  );
}
