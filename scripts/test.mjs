// `npm test`: installs, then runs format, lint, types and every test through turbo. Adds up the counts of all packages and
// ends with one line that a machine can read.
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { debianSuites, runnableDebianSuites } from "./debian-packages.mjs";
import { install, requireNode, run } from "./install.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

requireNode();
install(root);

const inGroups = ["apps", "packages", "tooling"].flatMap((group) =>
  readdirSync(join(root, group)).map((name) => join(group, name)),
);
const packages = [...inGroups, "e2e", "lab/bench"].filter((dir) =>
  existsSync(join(root, dir, "vitest.config.ts")),
);
/** What is counted: a name, and the file of vitest's report. */
const suites = packages.map((name) => ({ name, report: join(root, name, "test-results", "vitest.json") }));
const withDebian = runnableDebianSuites();
for (const { dir } of withDebian) {
  suites.push({ name: `${dir}, Debian`, report: join(root, dir, "test-results", "vitest-debian.json") });
}
// Otherwise a run that dies before it writes its report would be counted with the report of an earlier run.
for (const { report } of suites) rmSync(report, { force: true });

// The static checks run at the same time as the tests, which often wait. The bench measures time, so it runs last and alone.
const BENCH = "@stowage/bench";
const CHECKS = ["format", "lint", "lint:packages", "lint:commits", "types"];
const statuses = [
  run(root, "turbo", [
    "run",
    ...CHECKS,
    "test",
    ...withDebian.map(({ name }) => `${name}#test:debian`),
    `--filter=!${BENCH}`,
    "--continue=always",
    "--concurrency=2",
  ]),
  run(root, "turbo", ["run", "types", "test", `--filter=${BENCH}`, "--continue=always"]),
];
const status = statuses.find((each) => each !== 0) ?? 0;

// Prints the failures again: the packages' own reports are thousands of lines above, and a log may have cut them off.
for (const suite of suites) for (const failure of readFailures(suite)) console.log(failure);

const total = { passed: 0, failed: 0 };
for (const suite of suites) {
  const counted = readCounts(suite);
  total.passed += counted.passed;
  total.failed += counted.failed;
  console.log(
    `${suite.name.padEnd(24)} ${counted.passed} passed, ${counted.failed} failed${counted.note ?? ""}`,
  );
}
// Format, lint, types and builds have no counts. If one of them failed, that counts as one failure.
if (status !== 0 && total.failed === 0) total.failed = 1;
for (const { dir, packages } of debianSuites.filter((suite) => !withDebian.includes(suite))) {
  console.log(
    `${`${dir}, Debian`.padEnd(24)} not run: it needs Debian's ${packages.join(", ")} (pnpm test:debian)`,
  );
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

/** Reads vitest's report of a suite. Returns null if the run ended before vitest wrote it. */
function readReport({ report }) {
  return existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : null;
}

/** Describes each failed test, and each test file that could not be loaded: its path, its name and the first lines of the message. */
function readFailures(suite) {
  const files = readReport(suite)?.testResults ?? [];
  return files.flatMap(({ name: file, message, assertionResults: tests }) => {
    const place = relative(root, file);
    const failed = tests.filter((test) => test.status === "failed");
    if (message && failed.length === 0) return [`FAILED ${place}\n${firstLines(message)}`];
    return failed.map(
      (test) => `FAILED ${place} > ${test.fullName}\n${firstLines(test.failureMessages.join("\n"))}`,
    );
  });
}

function firstLines(message) {
  const LINES = 5;
  return message
    .split("\n")
    .slice(0, LINES)
    .map((line) => `  ${line}`)
    .join("\n");
}

function readCounts(suite) {
  const report = readReport(suite);
  if (report === null) return { passed: 0, failed: 1, note: " (the run ended before it could count)" };
  const passed = report.numPassedTests;
  const failed = report.numFailedTests + (report.success ? 0 : Number(report.numFailedTests === 0));
  if (passed + failed === 0) return { passed: 0, failed: 1, note: " (no test ran)" };
  const others = report.numTotalTests - report.numPassedTests - report.numFailedTests;
  return others === 0
    ? { passed, failed }
    : { passed, failed: failed + others, note: ` (${others} were skipped)` };
}
