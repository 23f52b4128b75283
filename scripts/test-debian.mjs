// `pnpm test:debian`: the tests with real servers and clients that come from Debian and not from npm. Installs them if it may.
// With the name of a workspace (`@stowage/service`) only its tests run, and the arguments after it are passed to vitest.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { debianSuites, installDebianPackages } from "./debian-packages.mjs";
import { run } from "./install.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const [only, ...vitestArguments] = process.argv.slice(2);

const suites = debianSuites.filter(({ name }) => only === undefined || name === only);
if (suites.length === 0) {
  console.error(`${only} has no such tests. These have: ${debianSuites.map(({ name }) => name).join(", ")}`);
  process.exit(1);
}
installDebianPackages(suites.flatMap(({ packages }) => packages));
const tasks = suites.map(({ name }) => `${name}#test:debian`);
const passed = vitestArguments.length > 0 ? ["--", ...vitestArguments] : [];
process.exit(run(root, "turbo", ["run", ...tasks, "--output-logs=new-only", "--concurrency=1", ...passed]));
