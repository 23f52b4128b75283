#!/usr/bin/env node
// Old versions of Node read this file too, to say that they are too old. So it has no syntax that is younger than `import()`.
import { requireNode } from "./require-node.mjs";
import { useRunningService } from "./use-running-service.mjs";

const HELP = `stowage             starts everything on this machine, with all data in .stowage/ of this folder:
                    PostgreSQL, S3 storage, the service with its dashboard, a worker
stowage serve       starts only the service, for production: it reads DATABASE_URL, S3_* and other settings
stowage <command>   manages a service: the one that "stowage" has started in this folder, or that of the settings
`;

requireNode();
const [first] = process.argv.slice(2);
if (first === undefined) {
  import("../dist/start.js");
} else if (first === "serve") {
  import("../dist/app/apps/service/dist/main.js");
} else {
  if (first === "--help" || first === "-h" || first === "help") console.log(HELP);
  useRunningService(process.env, ".stowage");
  import("../dist/app/apps/service/dist/cli.js");
}
