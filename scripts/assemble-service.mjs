// `node scripts/assemble-service.mjs FOLDER`: copies what the service, its pages and the command line need at run time, as they were
// built last. The container image and the npm package `stowage` have these files. The only npm packages that they import are those of
// the image decoder: sharp, libheif-js, @jsquash/jxl, @embedpdf/pdfium.
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(import.meta.dirname, "..");
/** The paths in the repository and in FOLDER. `apps/service/src/paths.ts` looks for them there. */
const FOLDERS = [
  "apps/service/dist",
  "apps/service/src/db/functions",
  "apps/service/src/db/migrations",
  "apps/dashboard/dist",
  "apps/docs/dist",
];

/** @param folder is created, and emptied first */
export function assembleService(folder) {
  rmSync(folder, { recursive: true, force: true });
  for (const path of FOLDERS) {
    if (!existsSync(join(root, path))) throw new Error(`${path} is missing. Run: npx turbo run build`);
    cpSync(join(root, path), join(folder, path), { recursive: true, filter: isNeeded });
  }
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  chmodSync(join(folder, "apps/service/dist/cli.js"), 0o755);
  writeManifest("apps/service", folder);
}

/** Without source maps, declarations, and the entries that only the bench measures. */
function isNeeded(path) {
  const inService = path.startsWith(join(root, "apps/service/dist/"));
  if (inService && !/\.js$|third-party-licenses\.txt$/.test(path)) return false;
  return extname(path) !== ".map" && basename(path) !== "third-party.json";
}

/** Its dependencies are in the bundle, so that no program may look for them. */
function writeManifest(app, folder) {
  const { name, version, type } = JSON.parse(readFileSync(join(root, app, "package.json"), "utf8"));
  const file = join(folder, app, "package.json");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ name, version, private: true, type }, null, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error("Usage: node scripts/assemble-service.mjs FOLDER");
  assembleService(resolve(folder));
}
