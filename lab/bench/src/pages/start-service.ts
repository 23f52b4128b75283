import { fork } from "node:child_process";
import { on, once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { serviceSettings } from "../processes/service-settings.js";

/** The built service in its own process. */
export interface RunningService {
  url: string;
  /** The URL that creates the first operator; null if there is one. */
  setupUrl: string | null;
  /** Waits for the next finished request and returns its time in milliseconds from the service's log. */
  nextRequestMs(): Promise<number>;
  stop(): Promise<void>;
}

/** The dashboard's address. */
export const DASHBOARD_URL = "http://dashboard.test";

const START_MS = 60_000;
const LINE_MS = 30_000;

/** Starts the service with a database only: storage is never called, and no job runs. @throws {Error} if it does not start */
export async function startService(databaseUrl: string): Promise<RunningService> {
  const child = fork(fileURLToPath(import.meta.resolve("@stowage/service/main")), [], {
    env: {
      PATH: process.env["PATH"],
      ...serviceSettings(databaseUrl),
      DASHBOARD_URL,
    },
    execArgv: [],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const ended = once(child, "exit");
  let stderr = "";
  child.stderr!.on("data", (chunk: Buffer) => (stderr = (stderr + chunk.toString("utf8")).slice(-2000)));
  const lines = createInterface({ input: child.stdout! });
  const ready = once(child, "message", { signal: AbortSignal.timeout(START_MS) });
  const first = await Promise.race([ready, ended.then(() => null)]);
  if (first === null) throw new Error(`The service ended before it was ready: ${stderr}`);
  const { port, setupUrl } = first[0] as { port: number; setupUrl: string | null };
  return {
    url: `http://127.0.0.1:${port}`,
    setupUrl,
    async nextRequestMs() {
      const signal = AbortSignal.timeout(LINE_MS);
      // `once` would miss the second of two lines that arrive together.
      for await (const [line] of on(lines, "line", { signal }) as AsyncIterable<[string]>) {
        const entry = line.startsWith("{") ? (JSON.parse(line) as { msg?: string; ms?: number }) : {};
        if (entry.msg === "request" && entry.ms !== undefined) return entry.ms;
      }
      throw new Error("The service's output ended");
    },
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
