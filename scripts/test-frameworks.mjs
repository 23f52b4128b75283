// `pnpm test:frameworks`: builds an app of each framework that docs/element.md names, with the element and the code of that page, and
// uses it in Chromium. Arguments are passed to vitest. It is not part of `npm test`, because it installs the frameworks from npm.
import { runGroup } from "./run-group.mjs";

runGroup("tooling/frameworks", "frameworks", process.argv.slice(2));
