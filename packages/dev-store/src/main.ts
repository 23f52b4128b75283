#!/usr/bin/env node
import { startDevStore } from "./dev-store.js";
import { readSettings } from "./settings.js";

/** Runs the store as a process. It ends on SIGTERM, on SIGINT, and when the parent process that forked it has ended. */
async function main(): Promise<void> {
  // A closed terminal or pipe must not end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  const settings = readSettings(process.env);
  const store = await startDevStore({ ...settings, onError: (error) => console.error("dev-store:", error) });
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    void store.stop().then(() => process.exit(0));
  };
  process.on("SIGTERM", stop).on("SIGINT", stop).on("disconnect", stop);
  console.log(`dev-store ready on ${store.endpoint}`);
  process.send?.({ type: "ready", endpoint: store.endpoint });
}

main().catch((error: NodeJS.ErrnoException) => {
  const { DEV_STORE_PORT: port, DEV_STORE_DIR: dir } = process.env;
  if (error.code === "EADDRINUSE") console.error(`dev-store: port ${port} is in use by another process.`);
  else if (error.code === "EACCES")
    console.error(`dev-store: no permission to listen on port ${port} or to use ${dir}.`);
  else console.error(`dev-store: ${error.message}`);
  process.exit(1);
});
