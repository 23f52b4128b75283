// `pnpm lab pages`: what real pages and their libraries do with stored files and running uploads.
import { runLab } from "./run-lab.mjs";

process.exitCode = runLab("pages", process.argv.slice(2), {
  builds: ["@stowage/service", "@stowage/local", "@stowage/server", "@stowage/client"],
});
