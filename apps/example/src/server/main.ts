import type { AddressInfo } from "node:net";
import { createApp } from "./app.js";
import { readSettings, SettingsError } from "./settings.js";

const STOP_MS = 5000;

function main(): void {
  const settings = readSettings(process.env);
  const server = createApp(settings).listen(settings.port, settings.host);
  server.on("error", (error: NodeJS.ErrnoException) => {
    fail(
      error.code === "EADDRINUSE"
        ? new SettingsError(`Port ${settings.port} is already taken: set PORT to another one.`)
        : error,
    );
  });
  server.on("listening", () => {
    const url = `http://localhost:${(server.address() as AddressInfo).port}`;
    console.log(`example ready on ${url}`);
    process.send?.({ type: "ready", url });
  });
  const stop = () => {
    server.close(() => process.exit(0));
    server.closeIdleConnections();
    setTimeout(() => process.exit(0), STOP_MS).unref();
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, stop);
  process.on("disconnect", stop); // whoever started this has ended
}

function fail(error: unknown): never {
  // The helper refuses a wrong option by a TypeError, in one sentence too.
  const isSetting = error instanceof SettingsError || error instanceof TypeError;
  console.error(isSetting ? error.message : error);
  process.exit(1);
}

try {
  main();
} catch (error) {
  fail(error);
}
