import { mergeConfig, type ViteUserConfig } from "vitest/config";

const TESTS = ["{src,test}/**/*.test.{ts,tsx}"];
const SLOW_TESTS = ["{src,test}/**/*.slow.test.{ts,tsx}"];

const base = {
  // Our own packages are read as source, so a test never runs against a stale build.
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    // The counts go where scripts/test.mjs adds them up.
    reporters: ["default", ["json", { outputFile: "test-results/vitest.json" }]],
    testTimeout: 20_000,
    hookTimeout: 120_000,
    projects: [
      { extends: true, test: { name: "fast", include: TESTS, exclude: SLOW_TESTS } },
      { extends: true, test: { name: "slow", include: SLOW_TESTS } },
    ],
  },
} satisfies ViteUserConfig;

/**
 * What every package's vitest.config.ts is made of. Two projects: `fast` answers while one types, `slow` (`*.slow.test.ts`:
 * databases, browsers, processes that are killed) runs with it in `npm test`.
 */
export function withBase(config: ViteUserConfig = {}): ViteUserConfig {
  return mergeConfig(base, config);
}
