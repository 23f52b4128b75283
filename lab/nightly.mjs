// `pnpm lab nightly [FILE…]`: long random histories, kills around each webhook and of an import, the memory of the process that decodes images, a
// soak of a minute with planted errors, a file of 20 GiB, a browser that follows every link of the documentation, `fuzz`, and the tests in three
// browsers. With a FILE, only the tests whose path contains it. SEED= and SEQUENCES= repeat a history, whose seed a failure prints. OBJECTS= makes
// the import smaller.
import { join } from "node:path";
import { run } from "../scripts/install.mjs";
import { runLab } from "./run-lab.mjs";

const TIMEOUT_MS = 8 * 3_600_000;

const args = process.argv.slice(2);
const builds = ["@stowage/e2e", "@stowage/docs"];
const root = join(import.meta.dirname, "..");
process.exitCode =
  args.length > 0
    ? runLab("nightly", args, { builds, timeoutMs: TIMEOUT_MS })
    : runLab("{nightly,fuzz}", [], { builds, timeoutMs: TIMEOUT_MS }) ||
      run(root, process.execPath, ["scripts/test-debian.mjs", "@stowage/e2e"]);
