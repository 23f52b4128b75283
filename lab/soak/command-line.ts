import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export const CLI = fileURLToPath(new URL("../../apps/service/dist/cli.js", import.meta.url));

/** @param code null: the command was killed */
export interface Ended {
  code: number | null;
  lines: string[];
}

/** Runs a command of `stowage`, and ends it after `timeoutMs`. */
export async function runStowage(
  settings: Record<string, string>,
  args: string[],
  timeoutMs = 60_000,
): Promise<Ended> {
  const env = { PATH: process.env["PATH"], ...settings };
  const child = spawn(process.execPath, [CLI, ...args], { env, timeout: timeoutMs, killSignal: "SIGKILL" });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, lines: output.split("\n").filter(Boolean) };
}
