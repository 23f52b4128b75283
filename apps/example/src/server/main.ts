import type { AddressInfo } from "node:net";
import { createAppServer } from "./app.js";
import { readSettings, SettingsError } from "./settings.js";

const STOP_TIMEOUT_MS = 5000;

function main(): void {
  // A closed terminal or pipe must not end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  const settings = readSettings(process.env);
  const server = createAppServer(settings).listen(settings.port, settings.host);
  server.on("error", (error: NodeJS.ErrnoException) => {
    fail(
      error.code === "EADDRINUSE"
        ? new SettingsError(`Port ${settings.port} is already in use. Set PORT to another port.`)
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
    setTimeout(() => process.exit(0), STOP_TIMEOUT_MS).unref();
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, stop);
  // The parent process has ended.
  process.on("disconnect", stop);
}

function fail(error: unknown): never {
  // The helper throws a TypeError for a wrong option. Its message is clear without a stack trace.
  const isConfigurationError = error instanceof SettingsError || error instanceof TypeError;
  console.error(isConfigurationError ? error.message : error);
  process.exit(1);
}

try {
  main();
} catch (error) {
  fail(error);
}
