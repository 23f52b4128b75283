// `node scripts/publish-packages.mjs --registry=URL [--provenance]`: publishes each package whose version is not in the registry yet.
// Build first. The release workflow and the tests (tooling/local-registry) use it: docs/releasing.md.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { run } from "./install.mjs";

const root = join(import.meta.dirname, "..");
const { values } = parseArgs({ options: { registry: { type: "string" }, provenance: { type: "boolean" } } });
// pnpm ignores npm_config_registry. Without this flag, a test would publish to the public registry.
if (values.registry === undefined)
  throw new Error("Name the registry: --registry=https://registry.npmjs.org/");

const { GITHUB_REPOSITORY: repository } = process.env;
if (values.provenance) {
  if (repository === undefined) throw new Error("A provenance statement needs GITHUB_REPOSITORY");
  for (const name of readdirSync(join(root, "packages"))) nameRepository(name);
}
process.exitCode = run(root, "pnpm", [
  "publish",
  "--recursive",
  "--filter=./packages/*",
  "--access=public",
  `--tag=${distTag()}`,
  // The workflow runs on a tag, and a test in any state of the checkout.
  "--no-git-checks",
  `--registry=${values.registry}`,
  ...(values.provenance ? ["--provenance"] : []),
]);

/** npm refuses a provenance statement if the package does not name the repository that it was built from. */
function nameRepository(name) {
  const file = join(root, "packages", name, "package.json");
  const manifest = JSON.parse(readFileSync(file, "utf8"));
  manifest.repository = {
    type: "git",
    url: `git+https://github.com/${repository}.git`,
    directory: `packages/${name}`,
  };
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Prereleases are `latest` until there is a stable version. Later ones get the tag of the prerelease, such as `rc`. */
function distTag() {
  const file = join(root, ".changeset", "pre.json");
  if (!existsSync(file)) return "latest";
  const { mode, tag, initialVersions } = JSON.parse(readFileSync(file, "utf8"));
  const isFirst = Object.values(initialVersions).every((version) => version.startsWith("0."));
  return mode !== "pre" || isFirst ? "latest" : tag;
}
