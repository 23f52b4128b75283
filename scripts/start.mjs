// `npm start`: installs, builds what has changed, and runs apps/local, which starts everything else.
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { install, requireNode, run } from "./install.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

requireNode();
install(root);
const built = run(
  root,
  "turbo",
  ["run", "build", "--filter=@stowage/local...", "--output-logs=errors-only"],
  { quiet: true },
);
if (built !== 0) process.exit(built);
await import(pathToFileURL(join(root, "apps", "local", "dist", "main.js")).href);
