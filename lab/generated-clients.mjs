// `pnpm lab generated-clients`: generates clients for Python and Go from the service's OpenAPI document and runs them. Arguments are passed
// to vitest.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installDebianPackages } from "../scripts/debian-packages.mjs";
import { run } from "../scripts/install.mjs";
import { runLab } from "./run-lab.mjs";

/** The newest stable version that has its Java program in the npm package. Later ones download it from Maven. */
const GENERATOR = "@openapitools/openapi-generator-cli@1.0.18-4.3.1";
const PYTHON_LIBRARIES = ["python3-urllib3", "python3-dateutil", "python3-six", "python3-certifi"];

const root = join(import.meta.dirname, "..");

installDebianPackages([
  "default-jre-headless",
  "python3",
  ...PYTHON_LIBRARIES,
  "golang-go",
  "golang-golang-x-oauth2-dev",
]);
const folder = mkdtempSync(join(tmpdir(), "stowage-generator-"));
let status = 1;
try {
  const quietly = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  status = run(root, "npm", ["install", "--prefix", folder, ...quietly, GENERATOR]);
  if (status === 0) {
    process.env.STOWAGE_GENERATOR = join(folder, "node_modules", ".bin", "openapi-generator");
    status = runLab("generated-clients", process.argv.slice(2));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(status);
