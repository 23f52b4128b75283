import { spawn } from "node:child_process";
import { once } from "node:events";
import { pinned, type Role } from "./pinning.js";

/** Runs a program to its end. @returns seconds @throws {Error} with its stderr, if it fails or takes too long */
export async function timeCommand(
  command: [string, ...string[]],
  { role, timeoutMs }: { role: Role; timeoutMs: number },
): Promise<number> {
  const [program, args] = pinned(role, command);
  const startedAt = performance.now();
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"], timeout: timeoutMs });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const [code] = (await once(child, "close")) as [number | null];
  const seconds = (performance.now() - startedAt) / 1000;
  if (code !== 0) throw new Error(`${command[0]} ended with ${code}: ${stderr.slice(-500)}`);
  return seconds;
}
