import { execFile, type SpawnOptions } from "node:child_process";
import { promisify } from "node:util";
import type { Binaries } from "./binaries.js";

const execFileAsync = promisify(execFile);

/** How PostgreSQL's programs are run so that they do not see themselves as root, which they refuse. */
export interface Runner {
  /** The user that the cluster's files must belong to, or null to leave them as they are. */
  ownerUid: number | null;
  wrap(program: string, args: string[]): { command: string; args: string[]; options: SpawnOptions };
  /** Runs a program to its end, within two minutes. */
  run(program: string, args: string[], stdin?: string): Promise<void>;
}

const NOBODY = 65534;

/**
 * An ordinary user runs them as they are. Root goes through a user namespace that shows root as nobody: the files
 * stay root's, so it works even in a folder that only root may enter. Where the kernel forbids that, they run as nobody.
 *
 * @throws {Error} when root can do neither.
 */
export async function chooseRunner(binaries: Binaries): Promise<Runner> {
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
  for (const runner of candidates) {
    const works = await runner.run(binaries.postgres, ["--version"]).then(
      () => true,
      () => false,
    );
    if (works) return runner;
  }
  throw new Error(
    "PostgreSQL refuses to run as root, and this machine lets root neither use a user namespace nor let nobody " +
      "enter this folder: start as an ordinary user, or set DATABASE_URL to a server of your own",
  );
}

function makeRunner(ownerUid: number | null, wrap: Runner["wrap"]): Runner {
  return {
    ownerUid,
    wrap,
    async run(program, programArgs, stdin) {
      const { command, args, options } = wrap(program, programArgs);
      const running = execFileAsync(command, args, {
        ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.gid }),
        env: { PATH: process.env["PATH"], LC_ALL: "C" },
        cwd: "/",
        timeout: 120_000,
      });
      // A program that does not read its input may close it first; its exit code says how it went.
      running.child.stdin?.on("error", () => undefined).end(stdin ?? "");
      await running;
    },
  };
}
