import type { Load } from "./load.js";
import { runLoad } from "./run-load.js";

process.on("message", (load: Load) => {
  void runLoad(load).then((answered) => process.send!(answered));
});
process.on("disconnect", () => process.exit());
process.on("SIGTERM", () => process.exit());
process.send!({});
