// `npm test`: installs, then runs format, lint, types and every test through turbo. Says every 20 seconds how far it is. Shows the output
// of what failed, adds up the counts of all packages, and ends with one line that a machine can read.
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { debianSuites, runnableDebianSuites } from "./debian-packages.mjs";
import { install, requireNode, runBeside } from "./install.mjs";
import { showProgress } from "./test-progress.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

requireNode();
install(root);

const inGroups = ["apps", "packages", "tooling"].flatMap((group) =>
  readdirSync(join(root, group)).map((name) => join(group, name)),
);
/** The workspaces that have tests. */
const packages = [...inGroups, "e2e", "lab", "lab/bench"].filter((dir) => {
  const manifest = join(root, dir, "package.json");
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).scripts?.test !== undefined;
});
/** What is counted: a name, and the files that vitest writes while it runs and at the end. */
const suites = packages.map((name) => ({ name, ...resultsOf(name, "vitest") }));
const withDebian = runnableDebianSuites();
for (const { dir } of withDebian) {
  suites.push({ name: `${dir}, Debian`, ...resultsOf(dir, "vitest-debian") });
}
// Otherwise a run that dies before it writes its report would be counted with the report of an earlier run.
for (const { report, progress } of suites)
  for (const file of [report, progress]) rmSync(file, { force: true });

// The static checks run at the same time as the tests, which often wait. The servers of Debian have clocks of their own (health checks,
// time limits of clients), so their tests run one after another. The bench measures time, so it runs last and alone.
const BENCH = "@stowage/bench";
const CHECKS = ["format", "lint", "lint:packages", "lint:commits"];
const KEEP_GOING = ["--continue=always", "--output-logs=errors-only"];
const toTurbo = ["types", "test", ...KEEP_GOING];
const stopProgress = showProgress(suites);
const statuses = [
  await runBeside(root, "turbo", ["run", ...CHECKS, ...toTurbo, `--filter=!${BENCH}`, "--concurrency=2"]),
  await runDebianSuites(),
  await runBeside(root, "turbo", ["run", ...toTurbo, `--filter=${BENCH}`]),
];
stopProgress();
const status = statuses.find((each) => each !== 0) ?? 0;

// Prints the failures again: the packages' own reports are thousands of lines above, and a log may have cut them off.
for (const suite of suites) for (const failure of readFailures(suite)) console.log(failure);

const total = { passed: 0, failed: 0 };
for (const suite of suites) {
  const counted = readCounts(suite);
  total.passed += counted.passed;
  total.failed += counted.failed;
  console.log(
    `${suite.name.padEnd(24)} ${counted.passed} passed, ${counted.failed} failed${counted.note ?? ""}, ${durationOf(suite)} s`,
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

function runDebianSuites() {
  if (withDebian.length === 0) return 0;
  const tasks = withDebian.map(({ name }) => `${name}#test:debian`);
  return runBeside(root, "turbo", ["run", ...tasks, ...KEEP_GOING, "--concurrency=1"]);
}

function resultsOf(folder, name) {
  const results = join(root, folder, "test-results");
  return { report: join(results, `${name}.json`), progress: join(results, `${name}-progress.json`) };
}

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

/** Seconds from the start of a suite to the end of its last file. */
function durationOf(suite) {
  const report = readReport(suite);
  const ends = report?.testResults.map(({ endTime }) => endTime ?? 0) ?? [];
  return report ? Math.max(0, Math.round((Math.max(0, ...ends) - report.startTime) / 1000)) : 0;
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
