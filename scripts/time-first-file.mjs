// `npx pnpm time:first-file [--rounds=3] [--templates=next,hono] [--uploadthing=FOLDER] [--better-upload=FOLDER]`: how long it takes from
// an empty folder with an empty npm cache to the first stored file. FOLDER is a clone of the peer's repository: docs/create.md
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { requireNode, run } from "./install.mjs";

const root = join(import.meta.dirname, "..");
const { values } = parseArgs({
  options: {
    rounds: { type: "string" },
    templates: { type: "string" },
    uploadthing: { type: "string" },
    "better-upload": { type: "string" },
  },
});
const { rounds, templates, uploadthing, "better-upload": betterUpload } = values;
if (rounds !== undefined) process.env.ROUNDS = rounds;
if (templates !== undefined) process.env.TEMPLATES = templates;
if (uploadthing !== undefined) process.env.UPLOADTHING_REPOSITORY = resolve(uploadthing);
if (betterUpload !== undefined) process.env.BETTER_UPLOAD_REPOSITORY = resolve(betterUpload);

requireNode();
const build = ["run", "build", "--filter=@stowage/created-apps^...", "--output-logs=errors-only"];
const built = run(root, "turbo", build, { quiet: true });
if (built !== 0) process.exit(built);
const vitest = [
  "--root",
  "tooling/created-apps",
  "--config",
  "vitest.timings.config.ts",
  "--project",
  "timings",
];
process.exit(run(root, "vitest", ["run", ...vitest, "--silent=false"]));
