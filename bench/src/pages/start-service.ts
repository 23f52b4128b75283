import { fork } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { serviceSettings } from "../processes/service-settings.js";

/** The built service, in a process of its own. */
export interface RunningService {
  url: string;
  /** Where its first operator is made; null when there is one. */
  setupUrl: string | null;
  /** How long the service itself took for the request that it finished next, in milliseconds, as its log says. */
  nextRequestMs(): Promise<number>;
  stop(): Promise<void>;
}

/** Where its pages would be opened. */
export const DASHBOARD_URL = "http://dashboard.test";

const START_MS = 60_000;
const LINE_MS = 30_000;

/** Over a database alone: storage is named and never asked, and no job runs. @throws {Error} when it does not start */
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
  let complaint = "";
  child.stderr!.on(
    "data",
    (chunk: Buffer) => (complaint = (complaint + chunk.toString("utf8")).slice(-2000)),
  );
  const lines = createInterface({ input: child.stdout! });
  const ready = once(child, "message", { signal: AbortSignal.timeout(START_MS) });
  const first = await Promise.race([ready, ended.then(() => null)]);
  if (first === null) throw new Error(`The service ended before it was ready: ${complaint}`);
  const { port, setupUrl } = first[0] as { port: number; setupUrl: string | null };
  return {
    url: `http://127.0.0.1:${port}`,
    setupUrl,
    async nextRequestMs() {
      const signal = AbortSignal.timeout(LINE_MS);
      for (;;) {
        const [line] = (await once(lines, "line", { signal })) as [string];
        const said = line.startsWith("{") ? (JSON.parse(line) as { msg?: string; ms?: number }) : {};
        if (said.msg === "request" && said.ms !== undefined) return said.ms;
      }
    },
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
