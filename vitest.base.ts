import type { ViteUserConfig } from "vitest/config";

/**
 * What every package's vitest.config.ts starts from: our own packages are read as source, so a test never runs
 * against a stale build, and the counts go where scripts/test.mjs adds them up.
 */
export const base = {
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    reporters: ["default", ["json", { outputFile: "test-results/vitest.json" }]],
    testTimeout: 20_000,
    hookTimeout: 120_000,
  },
} satisfies ViteUserConfig;
