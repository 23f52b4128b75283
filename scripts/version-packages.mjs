// `npx pnpm version-packages`: turns the changesets into the next version of all packages and into their changelogs, and writes the
// version into the other files that name it. Review and commit the changes: docs/releasing.md.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./install.mjs";

const root = join(import.meta.dirname, "..");
/** Files that name the version, and the text around it. */
const NAMED_IN = [
  ["apps/service/package.json", (version) => `"version": "${version}"`],
  ["docs/api.md", (version) => `"version": "${version}"`],
  ["deploy/kubernetes/kustomization.yaml", (version) => `newTag: ${version}`],
  ["deploy/helm/stowage/Chart.yaml", (version) => `\nversion: ${version}`],
  ["deploy/helm/stowage/Chart.yaml", (version) => `\nappVersion: ${version}`],
];

const before = readVersion();
if (run(root, "changeset", ["version"]) !== 0) process.exit(1);
const after = readVersion();
for (const [path, around] of NAMED_IN) {
  const file = join(root, path);
  const text = readFileSync(file, "utf8");
  if (!text.includes(around(before))) throw new Error(`${path} does not name the version ${before}`);
  writeFileSync(file, text.replace(around(before), around(after)));
}
run(root, "prettier", ["--write", "--log-level=warn", ".changeset"]);
console.log(`${before} is now ${after}`);

/** All packages have the same version. */
function readVersion() {
  return JSON.parse(readFileSync(join(root, "packages/stowage/package.json"), "utf8")).version;
}
