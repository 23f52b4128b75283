import { createRequire } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Local, runLocal } from "@stowage/local/run-local";

const { resolve: locate } = createRequire(import.meta.url);

// Paths in dist/, where the bundle of this file and the service are: scripts/build.mjs.
const service = (file: string) => fileURLToPath(new URL(`app/apps/service/dist/${file}`, import.meta.url));

await runLocal({
  installation: {
    programs: {
      store: locate("@stowage/dev-store/main"),
      service: service("main.js"),
      cli: service("cli.js"),
    },
    dataDir: resolve(".stowage"),
  },
  nextSteps,
});

function nextSteps({ serviceUrl }: Local): string[] {
  return [
    "PostgreSQL and a worker run too. All data, keys and logs are in the data folder, which git ignores.",
    "Next, in another terminal:",
    "  npm create stowage     makes an app that uploads to this service",
    "  npx stowage --help     lists the commands that manage it",
    `The documentation is at ${serviceUrl}/docs/`,
  ];
}
