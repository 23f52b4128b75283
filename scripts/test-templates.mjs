// `pnpm test:templates`: every app of `npm create stowage`, installed from a registry on this machine, built, started and used in
// Chromium. It takes minutes, so it is not part of `npm test`, which does the same with one template. Arguments are passed to vitest.
import { requireNode } from "./install.mjs";
import { runGroup } from "./run-group.mjs";

requireNode();
runGroup("tooling/created-apps", "templates", process.argv.slice(2));
