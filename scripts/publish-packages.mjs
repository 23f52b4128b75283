// `node scripts/publish-packages.mjs --registry=URL [--provenance]`: publishes each package whose version is not in the registry yet.
// Build first. The release workflow and the tests (tooling/local-registry) use it: docs/releasing.md.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { run } from "./install.mjs";
import { siteAddress, stagePackages } from "./stage-packages.mjs";

const root = join(import.meta.dirname, "..");
const { values } = parseArgs({ options: { registry: { type: "string" }, provenance: { type: "boolean" } } });
// pnpm ignores npm_config_registry. Without this flag, a test would publish to the public registry.
if (values.registry === undefined)
  throw new Error("Name the registry: --registry=https://registry.npmjs.org/");

const { GITHUB_REPOSITORY: repository } = process.env;
if (values.provenance) {
  if (repository === undefined) throw new Error("A provenance statement needs GITHUB_REPOSITORY");
  if (new URL(siteAddress()).host.endsWith(".example"))
    throw new Error(
      `The homepage in package.json is ${siteAddress()}, which does not exist: docs/releasing.md`,
    );
}
const folder = mkdtempSync(join(tmpdir(), "stowage-publish-"));
try {
  stagePackages(folder, values.provenance ? repository : undefined);
  const options = [
    "--recursive",
    "--filter=./packages/*",
    "--access=public",
    `--tag=${distTag()}`,
    // The folder is no checkout.
    "--no-git-checks",
    `--registry=${values.registry}`,
    ...(values.provenance ? ["--provenance"] : []),
  ];
  process.exitCode = run(folder, join(root, "node_modules", ".bin", "pnpm"), ["publish", ...options]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Prereleases are `latest` until there is a stable version. Later ones get the tag of the prerelease, such as `rc`. */
function distTag() {
  const file = join(root, ".changeset", "pre.json");
  if (!existsSync(file)) return "latest";
  const { mode, tag, initialVersions } = JSON.parse(readFileSync(file, "utf8"));
  const isFirst = Object.values(initialVersions).every((version) => version.startsWith("0."));
  return mode !== "pre" || isFirst ? "latest" : tag;
}
