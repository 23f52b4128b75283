// `apps/local` as `npm start` runs it, on free ports, with its own data folder and any runtime.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./install.mjs";

const START_MS = 120_000;
const STOP_MS = 30_000;

/** @throws {Error} with the output if it is not ready in time */
export async function startLocal({ command, dataDir }) {
  const [binary, ...args] = command;
  const child = spawn(binary, [...args, join(root, "apps/local/dist/main.js")], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: "0", STOWAGE_DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  const exit = once(child, "exit");
  const stop = async (signal = "SIGINT") => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
    const [code] = await exit;
    clearTimeout(timer);
    if (code !== 0) throw new Error(`The process ended with ${code} after ${signal}: ${output}`);
  };
  try {
    await new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`not ready within ${START_MS} ms: ${output}`)),
        START_MS,
      );
      const read = (chunk) => {
        output += chunk;
        if (!output.includes("Press Ctrl-C")) return;
        clearTimeout(timer);
        resolve();
      };
      child.stdout.on("data", read);
      child.stderr.on("data", read);
      exit.then(() => {
        clearTimeout(timer);
        reject(new Error(`ended before it was ready: ${output}`));
      });
    });
  } catch (error) {
    await stop("SIGTERM").catch(() => undefined);
    throw error;
  }
  return { dataDir, stop };
}

/** The key and the address of the demo project. */
export function readDemo(dataDir) {
  return JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8"));
}
