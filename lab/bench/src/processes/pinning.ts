import { execFile } from "node:child_process";
import { cpus } from "node:os";
import { promisify } from "node:util";

/**
 * The cores of a process: `server` has one core for itself, `others` share the other cores. `anywhere` uses the whole machine, for
 * measurements of several processes that pass bytes on.
 */
export type Role = "server" | "others" | "anywhere";

/** Only Linux has a command for it. Elsewhere, and on one core, nothing is pinned. */
const canPin = process.platform === "linux" && cpus().length > 1;

const lastCore = cpus().length - 1;
const coresOf = (role: Role) =>
  ({ server: "0", others: lastCore === 1 ? "1" : `1-${lastCore}`, anywhere: `0-${lastCore}` })[role];

/** Moves this process, and the processes that it starts from now on, to the cores of a role. */
export async function pinSelf(role: Role = "others"): Promise<void> {
  if (canPin) await promisify(execFile)("taskset", ["-a", "-c", "-p", coresOf(role), String(process.pid)]);
}

/** Returns the command that runs a program on its role's cores. */
export function pinned(role: Role, [command, ...args]: [string, ...string[]]): [string, string[]] {
  return canPin ? ["taskset", ["-c", coresOf(role), command, ...args]] : [command, args];
}
