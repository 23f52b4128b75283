// `npm test`: install, then format, lint, types and every test through turbo. Adds up what each package's run counted
// and closes with one line that a machine can read.
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { install, requireNode, run } from "./install.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

requireNode();
install(root);

const inGroups = ["apps", "packages", "tooling"].flatMap((group) =>
  readdirSync(join(root, group)).map((name) => join(group, name)),
);
const packages = [...inGroups, "bench"].filter((dir) => existsSync(join(root, dir, "vitest.config.ts")));
const resultsOf = (dir) => join(root, dir, "test-results", "vitest.json");
// A run that dies before it writes must not be counted by what an earlier one left.
for (const dir of packages) rmSync(resultsOf(dir), { force: true });

// What measures comes last, and has the machine to itself.
const MEASURING = "@stowage/bench";
const statuses = [
  ["run", "format", "lint", "lint:packages", "lint:commits", "types", "--continue=always", "--concurrency=2"],
  ["run", "test", `--filter=!${MEASURING}`, "--continue=always", "--concurrency=2"],
  ["run", "test", `--filter=${MEASURING}`],
].map((task) => run(root, "turbo", task));
const status = statuses.find((each) => each !== 0) ?? 0;

// Said here once more: the packages' own reports lie thousands of lines above, or were cut off by whoever keeps the output.
for (const dir of packages) for (const failure of readFailures(dir)) console.log(failure);

const total = { passed: 0, failed: 0 };
for (const dir of packages) {
  const counted = readCounts(dir);
  total.passed += counted.passed;
  total.failed += counted.failed;
  console.log(`${dir.padEnd(24)} ${counted.passed} passed, ${counted.failed} failed${counted.note ?? ""}`);
}
// Format, lint, types and builds have no counts of their own: whatever of them failed is one failure.
if (status !== 0 && total.failed === 0) total.failed = 1;
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

/** What vitest wrote of a package's run; null when it did not come to that. */
function readReport(dir) {
  return existsSync(resultsOf(dir)) ? JSON.parse(readFileSync(resultsOf(dir), "utf8")) : null;
}

/** Each test that failed, and each file that could not be read, as its place, its name and the first lines of its message. */
function readFailures(dir) {
  const files = readReport(dir)?.testResults ?? [];
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

function readCounts(dir) {
  const report = readReport(dir);
  if (report === null) return { passed: 0, failed: 1, note: " (the run ended before it could count)" };
  const passed = report.numPassedTests;
  const failed = report.numFailedTests + (report.success ? 0 : Number(report.numFailedTests === 0));
  if (passed + failed === 0) return { passed: 0, failed: 1, note: " (no test ran)" };
  const others = report.numTotalTests - report.numPassedTests - report.numFailedTests;
  return others === 0
    ? { passed, failed }
    : { passed, failed: failed + others, note: ` (${others} were skipped)` };
}
