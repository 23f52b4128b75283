import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, rm, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pinned, type Role } from "./pinning.js";

/** A child Node process that has reported that it is ready. */
export interface Child<Ready> {
  pid: number;
  ready: Ready;
  /** Sends a message and waits for the answer. @throws {Error} after the time limit, or if the process ends */
  ask<Answer>(message: object, timeoutMs: number): Promise<Answer>;
  /** Sends SIGTERM, and SIGKILL if the process does not end. */
  stop(): Promise<void>;
}

const START_MS = 60_000;
const STOP_MS = 20_000;

/**
 * Starts a script that sends a message when it is ready. Its output goes to a file, like a service's log.
 *
 * @param script a URL from `import.meta.resolve`
 * @throws {Error} with the end of its output, if it ends before it is ready
 */
export async function startChild<Ready>(
  script: string,
  {
    role,
    env = {},
    nodeArgs = [],
    args: scriptArgs = [],
  }: { role: Role; env?: Record<string, string>; nodeArgs?: string[]; args?: string[] },
): Promise<Child<Ready>> {
  const dir = await mkdtemp(join(tmpdir(), "stowage-bench-"));
  const printed = join(dir, "printed.log");
  const file = await open(printed, "a");
  const [command, args] = pinned(role, [process.execPath, ...nodeArgs, fileURLToPath(script), ...scriptArgs]);
  const child = spawn(command, args, {
    env: { PATH: process.env["PATH"], NODE_ENV: "production", ...env },
    stdio: ["ignore", file.fd, file.fd, "ipc"],
  });
  await file.close();
  const ended = once(child, "exit");
  const answer = async <Answer>(timeoutMs: number): Promise<Answer> => {
    const signal = AbortSignal.timeout(timeoutMs);
    const first = await Promise.race([once(child, "message", { signal }), ended.then(() => null)]);
    if (first === null) throw new Error(`${script} ended: ${(await readFile(printed, "utf8")).slice(-2000)}`);
    return first[0] as Answer;
  };
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
      await ended;
      clearTimeout(timer);
    }
    await rm(dir, { recursive: true, force: true });
  };
  try {
    const ready = await answer<Ready>(START_MS);
    return {
      pid: child.pid!,
      ready,
      ask: (message, timeoutMs) => {
        const answered = answer<never>(timeoutMs);
        child.send(message);
        return answered;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
