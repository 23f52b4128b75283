import { availableParallelism } from "node:os";
import { mergeConfig, type ViteUserConfig } from "vitest/config";
import { ProgressReporter } from "./vitest.progress.js";

const conditions = ["source", "node", "development|production"];
/** `debian` for the tests that need Debian's packages, `lab` for those of `lab/`. */
const group = process.env["TEST_GROUP"];

/** The projects of a package whose tests are in these folders. */
const projectsIn = (folders: string) => {
  const slow = [`${folders}/**/*.slow.test.{ts,tsx}`];
  return {
    // No fast test mocks a module, so files of one worker may share the modules that they import. That halves the time.
    fast: {
      extends: true,
      test: { name: "fast", include: [`${folders}/**/*.test.{ts,tsx}`], exclude: slow, isolate: false },
    },
    slow: { extends: true, test: { name: "slow", include: slow } },
    debian: {
      extends: true,
      test: { name: "debian", include: [`${folders}/**/*.debian.ts`], testTimeout: 300_000 },
    },
  };
};

const base = {
  // Tests read our own packages as source, so a test never runs against a stale build. `environments` does the same for
  // globalSetup, which runs in a separate environment.
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  environments: { __vitest__: { resolve: { conditions } } },
  test: {
    reporters: reportersOf(group === undefined ? "vitest" : `vitest-${group}`),
    // A busy machine may need seconds for what usually takes milliseconds, and some machines take three times as long as others.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" },
    expect: { requireAssertions: true, poll: { timeout: 60_000 } },
    // The message of a failure, which is all that CI prints, shows what a list of a few lines holds.
    chaiConfig: { truncateThreshold: 1000 },
    unstubGlobals: true,
    // Vitest's default leaves one core unused, so on two cores it would run the files one after another.
    maxWorkers: availableParallelism(),
  },
} satisfies ViteUserConfig;

/**
 * Builds the settings of a package. `fast` tests answer within seconds; `slow` ones (`*.slow.test.ts`) use databases, browsers and
 * processes. `npm test` runs both. With TEST_GROUP=debian, only those that need Debian's packages run (`*.debian.ts`):
 * `pnpm test:debian` sets it, and `npm test` does too where the packages are installed or CI installs them.
 *
 * @param slow settings of the slow project alone, such as the `globalSetup` that starts its servers
 * @param more.debian settings of the project `debian` alone
 * @param more.lab the projects that run instead with TEST_GROUP=lab
 * @param more.folders the folders that have tests. @default `{src,test}`
 */
export function withBase(
  config: ViteUserConfig = {},
  slow: ViteUserConfig = {},
  {
    debian = {},
    lab = {},
    folders = "{src,test}",
  }: { debian?: ViteUserConfig; lab?: ViteUserConfig; folders?: string } = {},
): ViteUserConfig {
  const own = projectsIn(folders);
  if (group === "lab") return mergeConfig(base, lab);
  if (group === "debian") return mergeConfig(base, { test: { projects: [mergeConfig(own.debian, debian)] } });
  return mergeConfig(
    base,
    mergeConfig(config, { test: { projects: [own.fast, mergeConfig(own.slow, slow)] } }),
  );
}

/** What scripts/test.mjs reads: counts while the tests run, and a report at their end. @param name of the files in test-results */
function reportersOf(name: string): NonNullable<NonNullable<ViteUserConfig["test"]>["reporters"]> {
  const progress = new ProgressReporter(`test-results/${name}-progress.json`);
  return ["default", ["json", { outputFile: `test-results/${name}.json` }], progress];
}
