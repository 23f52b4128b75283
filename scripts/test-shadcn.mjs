// `pnpm test:shadcn`: installs the components of `packages/registry` with the shadcn command into a Next app and uses them in Chromium.
// Arguments are passed to vitest. It is not part of `npm test`, because it installs Next and shadcn from npm, which takes minutes.
import { runGroup } from "./run-group.mjs";

runGroup("tooling/shadcn", "shadcn", process.argv.slice(2));
