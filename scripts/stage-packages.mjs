// Copies the built packages into a folder and completes them for npm: addresses in the manifests, and links in the readmes that work
// outside of this repository. The checkout stays as it is.
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";

const root = join(import.meta.dirname, "..");
/** pnpm reads these when it packs. */
const WORKSPACE = ["package.json", "pnpm-workspace.yaml", "LICENSE"];
const NOT_PUBLISHED = new Set(["node_modules", "test", "test-results", ".turbo"]);

/** The address of the documentation site, without a slash at the end: the only place that names it. docs/releasing.md */
export function siteAddress() {
  return readManifest(root).homepage.replace(/\/$/, "");
}

/**
 * @param folder an empty folder
 * @param repository `owner/name` on GitHub. npm refuses a provenance statement if the package does not name the repository that it
 *   was built from
 */
export function stagePackages(folder, repository) {
  for (const name of WORKSPACE) cpSync(join(root, name), join(folder, name));
  for (const name of readdirSync(join(root, "packages"))) {
    if (!readManifest(join(root, "packages", name)).private) stage(folder, name, repository);
  }
}

function stage(folder, name, repository) {
  const [from, to] = [join(root, "packages", name), join(folder, "packages", name)];
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from)) {
    if (!NOT_PUBLISHED.has(entry)) cpSync(join(from, entry), join(to, entry), { recursive: true });
  }
  // pnpm replaces `workspace:` by the versions that it finds there.
  symlinkSync(join(from, "node_modules"), join(to, "node_modules"), "dir");

  const manifest = readManifest(from);
  manifest.homepage = pageAddress(`packages/${name}/README.md`);
  if (repository !== undefined) {
    const url = `https://github.com/${repository}`;
    manifest.repository = { type: "git", url: `git+${url}.git`, directory: `packages/${name}` };
    manifest.bugs = `${url}/issues`;
  }
  writeFileSync(join(to, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  const readme = readFileSync(join(from, "README.md"), "utf8");
  writeFileSync(join(to, "README.md"), withAddresses(readme, `packages/${name}`));
}

/** Replaces the links to other pages of the repository by addresses of the site. */
function withAddresses(readme, folder) {
  return readme.replaceAll(/\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]+)?\)/g, (_, path, hash = "") => {
    return `](${pageAddress(posix.join(folder, path))}${hash})`;
  });
}

/** As in `apps/docs/src/content/addresses.ts`. A test compares the addresses with the built site. */
function pageAddress(source) {
  const slug = source
    .replace(
      /^tooling\/as-published\/api\/([\w.]+?)(?:\.index)?\.txt$/,
      (_, entry) => `reference/${entry.replaceAll(".", "/")}`,
    )
    .replace(/\.md$/, "")
    .replace(/(^|\/)README$/, "")
    .replace(/^docs\//, "")
    .toLowerCase();
  return slug === "" ? `${siteAddress()}/` : `${siteAddress()}/${slug}/`;
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}
