import { availableParallelism } from "node:os";
import { mergeConfig, type ViteUserConfig } from "vitest/config";
import { ProgressReporter } from "./vitest.progress.js";

const TESTS = ["{src,test}/**/*.test.{ts,tsx}"];
const SLOW_TESTS = ["{src,test}/**/*.slow.test.{ts,tsx}"];
const NIGHTLY_TESTS = ["{src,test}/**/*.nightly.test.{ts,tsx}"];
const DEBIAN_TESTS = ["{src,test}/**/*.debian.ts"];

const conditions = ["source", "node", "development|production"];
// No fast test mocks a module, so files of one worker may share the modules that they import. That halves the time.
const fast = {
  extends: true,
  test: { name: "fast", include: TESTS, exclude: [...SLOW_TESTS, ...NIGHTLY_TESTS], isolate: false },
};
const slowProject = { extends: true, test: { name: "slow", include: SLOW_TESTS } };
const nightlyProject = {
  extends: true,
  test: { name: "nightly", include: NIGHTLY_TESTS, testTimeout: 3_600_000 },
};

const base = {
  // Tests read our own packages as source, so a test never runs against a stale build. `environments` does the same for
  // globalSetup, which runs in a separate environment.
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  environments: { __vitest__: { resolve: { conditions } } },
  test: {
    reporters: reportersOf("vitest"),
    // A busy machine may need seconds for what usually takes milliseconds, and some machines take three times as long as others.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" },
    expect: { requireAssertions: true, poll: { timeout: 60_000 } },
    unstubGlobals: true,
    // Vitest's default leaves one core unused, so on two cores it would run the files one after another.
    maxWorkers: availableParallelism(),
  },
} satisfies ViteUserConfig;

/**
 * Builds the vitest.config.ts of a package. It has two projects. `fast` answers within seconds. `slow` (`*.slow.test.ts`)
 * uses databases, browsers and processes. `npm test` runs both.
 *
 * @param slow settings of the slow project alone, such as the `globalSetup` that starts its servers
 */
export function withBase(config: ViteUserConfig = {}, slow: ViteUserConfig = {}): ViteUserConfig {
  return mergeConfig(
    base,
    mergeConfig(config, { test: { projects: [fast, mergeConfig(slowProject, slow)] } }),
  );
}

/**
 * Builds the vitest.nightly.config.ts of a package: the project `nightly` (`*.nightly.test.ts`), whose tests take many
 * minutes. `pnpm test:nightly` runs it; `npm test` does not.
 *
 * @param nightly settings of the project
 */
export function withNightlyBase(nightly: ViteUserConfig = {}): ViteUserConfig {
  return mergeConfig(base, { test: { projects: [mergeConfig(nightlyProject, nightly)] } });
}

/**
 * Builds the vitest.debian.config.ts of a package: the project `debian` (`*.debian.ts`), whose tests need Debian's packages.
 * `pnpm test:debian` runs it. `npm test` does so too where the packages are installed or CI installs them.
 *
 * @param debian settings of the project
 */
export function withDebianBase(debian: ViteUserConfig = {}): ViteUserConfig {
  const project = { extends: true, test: { name: "debian", include: DEBIAN_TESTS, testTimeout: 300_000 } };
  return {
    ...base,
    test: { ...base.test, projects: [mergeConfig(project, debian)], reporters: reportersOf("vitest-debian") },
  } as ViteUserConfig;
}

/** What scripts/test.mjs reads: counts while the tests run, and a report at their end. @param name of the files in test-results */
function reportersOf(name: string): NonNullable<NonNullable<ViteUserConfig["test"]>["reporters"]> {
  const progress = new ProgressReporter(`test-results/${name}-progress.json`);
  return ["default", ["json", { outputFile: `test-results/${name}.json` }], progress];
}
