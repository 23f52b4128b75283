import { execFile } from "node:child_process";
import { cpus } from "node:os";
import { promisify } from "node:util";

/**
 * Who runs where: what is measured has a core of its own, and everything else shares the rest; or, where what is measured is
 * several processes that hand bytes on, each of them has the whole machine.
 */
export type Role = "server" | "others" | "anywhere";

/** Linux alone has a command for it; elsewhere, and on one core, nothing is pinned. */
const canPin = process.platform === "linux" && cpus().length > 1;

const lastCore = cpus().length - 1;
const coresOf = (role: Role) =>
  ({ server: "0", others: lastCore === 1 ? "1" : `1-${lastCore}`, anywhere: `0-${lastCore}` })[role];

/** Puts this process, and what it starts from now on, among the others. */
export async function pinSelf(): Promise<void> {
  if (canPin)
    await promisify(execFile)("taskset", ["-a", "-c", "-p", coresOf("others"), String(process.pid)]);
}

/** The command that runs a program on its role's cores. */
export function pinned(role: Role, [command, ...args]: [string, ...string[]]): [string, string[]] {
  return canPin ? ["taskset", ["-c", coresOf(role), command, ...args]] : [command, args];
}
