import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { LocalError } from "./settings.js";

const RUN_MS = 30_000;

/**
 * What a Node program of ours prints. It runs in a process group of its own, so Ctrl-C in a terminal does not reach it.
 *
 * @throws {LocalError} with its own words when it fails, or does not end within half a minute
 */
export async function outputOf(file: string, args: string[], env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, [file, ...args], {
    env: { PATH: process.env["PATH"], AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true", ...env },
    detached: true,
    windowsHide: true,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: RUN_MS,
  });
  const [[code, signal], output, complaint] = await Promise.all([
    once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  if (code === 0) return output;
  throw new LocalError(
    `"stowage ${args.join(" ")}" ended with ${code ?? signal}: ${complaint.trim() || "it said nothing."}`,
  );
}
