// `pnpm lab bench [ROW…]`: measures Stowage against its peers and writes bench/results.md. `--install-peers` installs the peers, which are
// outside the workspace.
import { join } from "node:path";
import { run } from "../scripts/install.mjs";

const root = join(import.meta.dirname, "..");
const PEERS = ["lab/bench/peers", "lab/bench/peers/uppy-5"];
const ONLY_PACKAGES = [
  "--no-package-lock",
  "--ignore-scripts",
  "--no-audit",
  "--no-fund",
  "--loglevel=error",
];

const args = process.argv.slice(2);
if (args.includes("--install-peers")) {
  process.exitCode = PEERS.reduce(
    (status, folder) => status || run(root, "npm", ["install", "--prefix", folder, ...ONLY_PACKAGES]),
    0,
  );
} else {
  process.exitCode =
    run(root, "turbo", ["run", "build", "--filter=@stowage/bench", "--output-logs=errors-only"]) ||
    run(root, process.execPath, ["lab/bench/dist/bench-command.js", ...args]);
}
