import { join } from "node:path";
import { rolldown } from "rolldown";
import { assembleService } from "../../../scripts/assemble-service.mjs";

const root = join(import.meta.dirname, "..");

// Contains the code of apps/local, which is no package of its own.
const bundle = await rolldown({
  cwd: root,
  input: { start: "src/start.ts" },
  external: [/^@stowage\/dev-/],
  platform: "node",
  resolve: { conditionNames: ["source", "node"] },
  onLog(level, log, print) {
    if (level === "warn") throw new Error(`stowage cannot be bundled: ${log.message}`);
    print(level, log);
  },
});
await bundle.write({ dir: "dist", cleanDir: true, sourcemap: false });
assembleService(join(root, "dist", "app"));
