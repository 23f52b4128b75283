// `npx pnpm local-registry`: builds our packages, publishes them into an npm registry on this machine, and prints how to install from
// it. Ctrl-C stops the registry and deletes it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { requireNode, run } from "./install.mjs";

const root = join(import.meta.dirname, "..");

requireNode();
const filter = "--filter=@stowage/local-registry...";
const built = run(root, "turbo", ["run", "build", filter, "--output-logs=errors-only"], { quiet: true });
if (built !== 0) process.exit(built);
const program = join(root, "tooling", "local-registry", "dist", "start-registry.js");
const { startLocalRegistry } = await import(pathToFileURL(program).href);

const registry = await startLocalRegistry();
const cache = mkdtempSync(join(tmpdir(), "stowage-npm-cache-"));
for (const { name, version } of registry.packages) console.log(`${name}@${version}`);
// A cache of its own: npm's usual one may have other contents of the same version.
console.log(`
The registry is ${registry.url}. In any folder, for example:

  npm install @stowage/server --registry ${registry.url} --cache ${cache}
  npx --yes --registry ${registry.url} --cache ${cache} stowage

Press Ctrl-C to stop it.`);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.once(signal, async () => {
    await registry.close();
    rmSync(cache, { recursive: true, force: true });
    process.exit(0);
  });
}
