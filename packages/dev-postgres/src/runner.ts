import { dirname } from "node:path";
import type { Binaries } from "./binaries.js";
import { type Command, runProgram, type RunOptions } from "./run-program.js";

/** Runs PostgreSQL's programs as an unprivileged user, because they refuse to run as root. */
export interface Runner {
  /** The required owner of the cluster's files; null if any owner works. */
  ownerUid: number | null;
  wrap(program: string, args: string[]): Command;
  run(program: string, args: string[], options?: RunOptions): Promise<void>;
}

const NOBODY = 65534;

/**
 * Chooses how to run the programs. An ordinary user runs them directly. Root first tries a user namespace that maps root to
 * nobody: the files stay root's, so it works in a folder that only root may enter. If the kernel forbids that, or if the
 * namespace cannot enter a parent folder, root runs them as the system user `nobody`. Changes nothing in the folder.
 *
 * @param dir the cluster's folder, which must exist
 * @throws {Error} if root can do neither
 */
export async function chooseRunner(binaries: Binaries, dir: string): Promise<Runner> {
  if (process.getuid?.() !== 0)
    return makeRunner(null, (program, args) => ({ command: program, args, options: {} }));
  const candidates = [
    makeRunner(0, (program, args) => ({
      command: "unshare",
      args: ["--user", `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, program, ...args],
      options: {},
    })),
    makeRunner(NOBODY, (program, args) => ({
      command: program,
      args,
      options: { uid: NOBODY, gid: NOBODY },
    })),
  ];
  for (const runner of candidates) if (await canRun(runner, binaries, dir)) return runner;
  throw new Error(
    "PostgreSQL refuses to run as root. This machine forbids user namespaces, and the user nobody may not enter " +
      `${dirname(dir)}. Start as an ordinary user, or set DATABASE_URL to a server of your own.`,
  );
}

/** The folder itself will be given to the runner's user. The parent folders stay unchanged and must allow it to enter. */
async function canRun(runner: Runner, binaries: Binaries, dir: string): Promise<boolean> {
  try {
    await runner.run(binaries.postgres, ["--version"]);
    await runner.run("/bin/sh", ["-c", 'cd -- "$1"', "sh", dirname(dir)]);
    return true;
  } catch {
    return false;
  }
}

function makeRunner(ownerUid: number | null, wrap: Runner["wrap"]): Runner {
  return { ownerUid, wrap, run: (program, args, options) => runProgram(wrap(program, args), options) };
}
