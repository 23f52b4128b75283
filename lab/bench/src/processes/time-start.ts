import { spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "@stowage/dev-postgres";
import { pinned } from "./pinning.js";

const GIVE_UP_MS = 60_000;
const BETWEEN_TRIES_MS = 2;

/**
 * Starts a server on a free port, polls it until it answers 200, and stops it.
 *
 * @param script a URL from `import.meta.resolve`; the script listens on `PORT`
 * @returns milliseconds from the start of the process to the answer
 */
export async function timeStart(
  script: string,
  { path, env = {}, nodeArgs = [] }: { path: string; env?: Record<string, string>; nodeArgs?: string[] },
): Promise<number> {
  const port = await freePort();
  const [command, args] = pinned("server", [process.execPath, ...nodeArgs, fileURLToPath(script)]);
  const startedAt = performance.now();
  const child = spawn(command, args, {
    env: { PATH: process.env["PATH"], NODE_ENV: "production", ...env, PORT: String(port) },
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  try {
    while (!(await isAnswered(port, path))) {
      if (child.exitCode !== null || performance.now() - startedAt > GIVE_UP_MS)
        throw new Error(`${script} does not answer at ${path}`);
      await sleep(BETWEEN_TRIES_MS);
    }
    return performance.now() - startedAt;
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

function isAnswered(port: number, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    request({ port, path, host: "127.0.0.1", agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    })
      .on("error", () => resolve(false))
      .end();
  });
}
