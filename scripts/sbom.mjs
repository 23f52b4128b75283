// `npx pnpm release:sbom [FILE]`: writes a CycloneDX SBOM of the service, the dashboard and the documentation site, as they were built
// last. pnpm lists the packages of the lockfile with license and hash. The builds say whose code the bundles contain (tooling/third-party).
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";

const APPS = ["service", "dashboard", "docs"];

const root = join(import.meta.dirname, "..");
const out = resolve(process.argv[2] ?? join(root, "sbom", "stowage.cdx.json"));
const bundled = new Set(APPS.flatMap(readBundled));

const sbom = list("--prod");
// Builds contain code of some development dependencies, such as hash-wasm in our packages and Starlight in the site.
const known = new Set(sbom.components.map(idOf));
sbom.components.push(
  ...list("--dev", "--filter=./packages/*", "--filter=./apps/docs").components.filter((each) => {
    const isMissing = bundled.has(idOf(each)) && !known.has(idOf(each));
    known.add(idOf(each));
    return isMissing;
  }),
);
sbom.metadata.component.version = JSON.parse(
  readFileSync(join(root, "apps/service/package.json"), "utf8"),
).version;
// pnpm describes the root of this repository, which is in no registry.
sbom.metadata.component.name = "stowage";
delete sbom.metadata.component.group;
delete sbom.metadata.component.purl;
for (const component of sbom.components) {
  const isOurs = component.group === "@stowage";
  // "Excluded" means that the build left the package out: none of its code can run.
  component.scope = isOurs || bundled.has(idOf(component)) ? "required" : "excluded";
}
const missing = [...bundled].filter((id) => !known.has(id));
if (missing.length > 0) throw new Error(`The lockfile does not list ${missing.join(", ")}: build again`);

// pnpm's order differs from run to run.
sbom.components.sort(byText((component) => component["bom-ref"]));
sbom.dependencies?.sort(byText(({ ref }) => ref));
for (const { dependsOn } of sbom.dependencies ?? []) dependsOn?.sort();

mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, `${JSON.stringify(sbom, null, 2)}\n`);
console.log(`${out}: ${sbom.components.length} components, ${bundled.size} of them in the bundles`);

function readBundled(app) {
  const file = join(root, "apps", app, "dist", "third-party.json");
  return JSON.parse(readFileSync(file, "utf8")).map(({ name, version }) => `${name}@${version}`);
}

function byText(textOf) {
  return (a, b) => (textOf(a) < textOf(b) ? -1 : 1);
}

function idOf({ group, name, version }) {
  return `${group ? `${group}/` : ""}${name}@${version}`;
}

/** Runs `pnpm sbom` for the apps. */
function list(...options) {
  const folder = mkdtempSync(join(tmpdir(), "stowage-sbom-"));
  try {
    const file = join(folder, "sbom.json");
    const formats = ["--sbom-format=cyclonedx", "--sbom-spec-version=1.6", "--sbom-type=application"];
    const filters = APPS.map((app) => `--filter=./apps/${app}`);
    execFileSync("pnpm", ["sbom", ...formats, ...filters, ...options, `--out=${file}`], {
      cwd: root,
      env: { ...process.env, PATH: [join(root, "node_modules", ".bin"), process.env.PATH].join(delimiter) },
      stdio: ["ignore", "ignore", "pipe"],
      timeout: 60_000,
      shell: process.platform === "win32",
    });
    return JSON.parse(readFileSync(file, "utf8"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
