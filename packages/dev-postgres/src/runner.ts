import { dirname } from "node:path";
import type { Binaries } from "./binaries.js";
import { type Command, runProgram, type RunOptions } from "./run-program.js";

/** How PostgreSQL's programs are run so that they do not see themselves as root, which they refuse. */
export interface Runner {
  /** The user that the cluster's files must belong to, or null to leave them as they are. */
  ownerUid: number | null;
  wrap(program: string, args: string[]): Command;
  run(program: string, args: string[], options?: RunOptions): Promise<void>;
}

const NOBODY = 65534;

/**
 * An ordinary user runs them as they are. Root goes through a user namespace that shows root as nobody: the files
 * stay root's, so it works even in a folder that only root may enter. Where the kernel forbids that, or the folder lies
 * in one that root as nobody may not enter, they run as nobody. Changes nothing in the folder.
 *
 * @param dir the cluster's folder, which exists
 * @throws {Error} when root can do neither.
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
  for (const runner of candidates) if (await works(runner, binaries, dir)) return runner;
  throw new Error(
    "PostgreSQL refuses to run as root, and this machine lets root neither use a user namespace nor let nobody " +
      `enter ${dirname(dir)}: start as an ordinary user, or set DATABASE_URL to a server of your own`,
  );
}

/** The folder itself will be the runner's own; what lies above it stays as it is, and has to let it pass. */
async function works(runner: Runner, binaries: Binaries, dir: string): Promise<boolean> {
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
