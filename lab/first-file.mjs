// `pnpm lab first-file [--rounds=3] [--templates=next,hono] [--uploadthing=FOLDER] [--better-upload=FOLDER]`: how long it takes from
// an empty folder with an empty npm cache to the first stored file. FOLDER is a clone of the peer's repository: docs/create.md
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { requireNode } from "../scripts/install.mjs";
import { runLab } from "./run-lab.mjs";

const TIMEOUT_MS = 2 * 3_600_000;

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
process.exitCode = runLab("first-file", ["--silent=false", `--testTimeout=${TIMEOUT_MS}`], {
  builds: ["@stowage/created-apps"],
  timeoutMs: TIMEOUT_MS,
});
