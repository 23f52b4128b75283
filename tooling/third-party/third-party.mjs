import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Files of a package that its license may ask to pass on. */
const LICENSE_FILE = /^(licen[cs]e|copying|notice)/i;

export function thirdParty() {
  return {
    name: "third-party",
    generateBundle(_options, bundle) {
      for (const [fileName, source] of Object.entries(recordOf(modulesOf(bundle, this.getModuleIds()))))
        this.emitFile({ type: "asset", fileName, source });
    },
  };
}

export function recordOf(modules) {
  const packages = new Map();
  for (const module of modules) {
    for (const found of packagesOf(module)) packages.set(`${found.name}@${found.version}`, found);
  }
  const sorted = [...packages.keys()].sort().map((key) => packages.get(key));
  const list = sorted.map(({ name, version, license }) => ({ name, version, license }));
  return {
    "third-party.json": `${JSON.stringify(list, null, 2)}\n`,
    "third-party-licenses.txt": render(sorted),
  };
}

/** The modules of all chunks, and all style sheets: Vite has taken those out of the chunks. */
function modulesOf(bundle, all) {
  const inChunks = Object.values(bundle).flatMap((output) => output.moduleIds ?? []);
  const styles = [...all].filter((id) => /\.css(\?|$)/.test(id));
  return new Set([...inChunks, ...styles].map((id) => id.replace(/[?#].*$/, "")));
}

/** The npm package of a module. For a module of our own packages: the packages that its own build has bundled. */
function packagesOf(module) {
  const inNodeModules = /^(.*[/\\]node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+))[/\\]/.exec(module);
  if (inNodeModules !== null) return [readPackage(inNodeModules[1])];
  const [ownDist] = /^[^\0].*[/\\]dist(?=[/\\])/.exec(module) ?? [];
  if (ownDist === undefined || !existsSync(join(ownDist, "licenses"))) return [];
  return readdirSync(join(ownDist, "licenses"))
    .filter((file) => file.endsWith(".json"))
    .map((file) => {
      const path = join(ownDist, "licenses", file);
      return {
        ...JSON.parse(readFileSync(path, "utf8")),
        text: readFileSync(path.replace(/json$/, "txt"), "utf8"),
      };
    });
}

function readPackage(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  // A package without a license may not be passed on at all.
  if (typeof license !== "string") throw new Error(`${name} ${version} names no license`);
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENSE_FILE.test(entry.name))
    .map((entry) => entry.name);
  const text = files.map((file) => readFileSync(join(folder, file), "utf8").trim()).join("\n\n");
  return { name, version, license, text };
}

function render(packages) {
  const sections = packages.map(({ name, version, license, text }) => {
    const notice = text || "The package contains no license file.";
    return `${"-".repeat(80)}\n${name} ${version}, license: ${license}\n${"-".repeat(80)}\n\n${notice.trim()}\n`;
  });
  return ["This software contains code of the following packages.\n", ...sections].join("\n");
}
