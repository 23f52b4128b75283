import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { LocalError } from "./settings.js";

const TIMEOUT_MS = 30_000;

/**
 * Runs the service's command line and returns its output. The process gets its own process group, so Ctrl-C in a terminal
 * does not reach it.
 *
 * @param cli path of the program
 * @throws {LocalError} with its error output if it fails or does not end within 30 s
 */
export async function runCli(cli: string, args: string[], env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, [cli, ...args], {
    env: { PATH: process.env["PATH"], AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true", ...env },
    detached: true,
    windowsHide: true,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: TIMEOUT_MS,
  });
  const [[code, signal], output, errorOutput] = await Promise.all([
    once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  if (code === 0) return output;
  throw new LocalError(
    `"stowage ${args.join(" ")}" failed with ${code ?? signal}: ${errorOutput.trim() || "it printed no error."}`,
  );
}
