#!/usr/bin/env node
import { startDevStore } from "./dev-store.js";
import { readSettings } from "./settings.js";

/** The store as a process of its own. Ends on SIGTERM, SIGINT, and when the parent that forked it is gone. */
async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const store = await startDevStore({ ...settings, onError: (error) => console.error("dev-store:", error) });
  let isEnding = false;
  const end = (): void => {
    if (isEnding) return;
    isEnding = true;
    void store.stop().then(() => process.exit(0));
  };
  process.on("SIGTERM", end).on("SIGINT", end).on("disconnect", end);
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
