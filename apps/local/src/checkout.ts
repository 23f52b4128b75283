import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Installation } from "./settings.js";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
const require = createRequire(import.meta.url);

/** What `npm start` runs: the programs that this repository has built, and the example app. */
export const checkout: Installation = {
  programs: {
    store: require.resolve("@stowage/dev-store/main"),
    service: require.resolve("@stowage/service/main"),
    cli: require.resolve("@stowage/service/cli"),
    example: require.resolve("@stowage/example/main"),
  },
  dataDir: join(ROOT, ".stowage"),
};
