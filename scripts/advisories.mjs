// `npx pnpm advisories FOLDER [OPTIONS]`: names the installed packages that have a known advisory. FOLDER has records of the OSV format
// (https://ossf.github.io/osv-schema/), one in each JSON file, such as the content of OSV's npm/all.zip: nothing is asked over the network.
// OPTIONS go to `pnpm sbom`: `--prod` leaves out what only builds and tests use. Exit code 1: there are advisories. 2: the data is no good.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import semver from "semver";

const root = join(import.meta.dirname, "..");
/** Older data does not know what was found since. */
const MAX_AGE_DAYS = 7;

const [folder, ...options] = process.argv.slice(2);
const advisories = readAdvisories(folder);
const newest = advisories.map(({ modified }) => modified).reduce((a, b) => (a > b ? a : b), "");
const ageDays = (Date.now() - Date.parse(newest)) / 86_400_000;
if (!(ageDays <= MAX_AGE_DAYS)) {
  console.error(`The newest advisory for npm in ${folder} is of ${newest || "no time"}: fetch newer data.`);
  process.exit(2);
}
const packages = listPackages(options);
const findings = packages.flatMap((one) => advisories.flatMap((advisory) => findingsOf(one, advisory)));
for (const finding of findings) console.log(finding);
console.log(
  `${packages.length} packages, ${advisories.length} advisories, the newest of ${newest}: ${findings.length} findings`,
);
process.exitCode = findings.length === 0 ? 0 : 1;

/** Leaves out advisories that were withdrawn, and those about packages of other registries. */
function readAdvisories(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return files
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")))
    .filter(({ withdrawn, affected = [] }) => !withdrawn && affected.some(isOfNpm));
}

function isOfNpm({ package: { ecosystem } = {} }) {
  return ecosystem === "npm";
}

/** @returns {{name: string, version: string}[]} all packages of the lockfile but ours */
function listPackages(options) {
  const dir = mkdtempSync(join(tmpdir(), "stowage-advisories-"));
  try {
    const file = join(dir, "sbom.json");
    const pnpm = join(root, "node_modules", ".bin", "pnpm");
    execFileSync(pnpm, ["sbom", "--sbom-format=cyclonedx", `--out=${file}`, ...options], {
      cwd: root,
      stdio: ["ignore", "ignore", "inherit"],
      timeout: 60_000,
    });
    return JSON.parse(readFileSync(file, "utf8"))
      .components.filter(({ group }) => group !== "@stowage")
      .map(({ group, name, version }) => ({ name: group ? `${group}/${name}` : name, version }));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function findingsOf({ name, version }, { id, summary = "", affected }) {
  const found = affected.find((one) => isOfNpm(one) && one.package.name === name && isAffected(version, one));
  if (!found) return [];
  const fixes = (found.ranges ?? []).flatMap(({ events }) => events.flatMap(({ fixed }) => fixed ?? []));
  return [`${name}@${version}: ${id}, fixed in ${fixes.join(", ") || "no version"}: ${summary}`];
}

function isAffected(version, { versions = [], ranges = [] }) {
  return (
    versions.includes(version) ||
    ranges.some(({ type, events }) => type === "SEMVER" && isInRange(version, events))
  );
}

/** The evaluation of the specification: the last event at or before the version decides. */
function isInRange(version, events) {
  let isIn = false;
  for (const { introduced, fixed, last_affected: last } of events.toSorted(byVersion)) {
    if (introduced !== undefined && semver.gte(version, versionOf(introduced))) isIn = true;
    if (fixed !== undefined && semver.gte(version, fixed)) isIn = false;
    if (last !== undefined && semver.gt(version, last)) isIn = false;
  }
  return isIn;
}

/** `0` stands for a version before every other. */
function versionOf(text) {
  return text === "0" ? "0.0.0-0" : text;
}

function byVersion(a, b) {
  const of = ({ introduced, fixed, last_affected: last }) => versionOf(introduced ?? fixed ?? last);
  return semver.compare(of(a), of(b));
}
