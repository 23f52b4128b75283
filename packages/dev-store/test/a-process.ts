import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { BUCKET, CREDENTIALS } from "./a-store.js";

const here = fileURLToPath(new URL("..", import.meta.url));

/** Compiles the package to a temporary folder, so the tests never run a stale build. Call it once per file, and call `remove` at the end. */
export async function buildBin(): Promise<{ main: string; remove: () => Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), "dev-store-build-"));
  await writeFile(join(dir, "package.json"), '{"type":"module"}');
  const args = ["-p", "tsconfig.build.json", "--outDir", dir, "--tsBuildInfoFile", join(dir, "buildinfo")];
  await promisify(execFile)(join(here, "node_modules", ".bin", "tsc"), args, { cwd: here });
  return { main: join(dir, "main.js"), remove: () => rm(dir, { recursive: true, force: true }) };
}

export interface StoreProcess {
  child: ChildProcess;
  endpoint: string;
  /** The text of stdout and stderr so far. */
  output(): string;
  /** The messages that it sent over IPC. */
  messages: unknown[];
  /** Resolves with exit code and signal. */
  ended: Promise<[code: number | null, signal: NodeJS.Signals | null]>;
}

/** Starts the program and waits until it is ready or has ended. It is killed at the end of the test. */
export async function aStoreProcess(
  main: string,
  env: Record<string, string>,
  { hasIpc = false } = {},
): Promise<StoreProcess> {
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      DEV_STORE_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      DEV_STORE_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
      DEV_STORE_BUCKETS: BUCKET,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe", ...(hasIpc ? (["ipc"] as const) : [])],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "exit") as StoreProcess["ended"];
  const messages: unknown[] = [];
  child.on("message", (message) => messages.push(message));
  let output = "";
  child.stderr?.on("data", (text: Buffer) => (output += text.toString()));
  const endpoint = await new Promise<string>((resolve) => {
    child.stdout?.on("data", (text: Buffer) => {
      output += text.toString();
      const ready = /^dev-store ready on (\S+)$/m.exec(output);
      if (ready) resolve(ready[1]!);
    });
    void ended.then(() => resolve(""));
  });
  return { child, endpoint, output: () => output, messages, ended };
}
