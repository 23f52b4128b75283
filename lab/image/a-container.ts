import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Readable } from "node:stream";

/** The image under test, as lab/image.mjs unpacked it. */
export interface Image {
  /** The folder with its files. */
  rootDir: string;
  env: string[];
  user: string;
  workingDir: string;
  command: string[];
  healthcheck: string[];
  labels: Record<string, string>;
}

/** @throws {Error} if lab/image.mjs did not start this run */
export function readImage(): Image {
  const file = process.env["STOWAGE_IMAGE"];
  if (!file) throw new Error("STOWAGE_IMAGE is not set. Run: npx pnpm lab image");
  return JSON.parse(readFileSync(file, "utf8")) as Image;
}

/** A running container. */
export interface Container {
  /** The process ID of its first process, as this machine sees it. */
  pid: number;
  output(): string;
  exit: Promise<number | null>;
  signal(name: NodeJS.Signals): void;
}

/**
 * Runs a command as a container engine does with `--read-only --cap-drop ALL --security-opt no-new-privileges --network host`:
 * with the image's user, as process 1 of its own PID namespace.
 *
 * @param command by default the one of the image
 */
export async function aContainer(
  image: Image,
  settings: Record<string, string>,
  command: string[] = image.command,
): Promise<Container> {
  const [uid = "", gid = ""] = image.user.split(":");
  const variables = [...image.env, ...Object.entries(settings).map((pair) => pair.join("="))].flatMap(
    (line) => {
      const at = line.indexOf("=");
      return ["--setenv", line.slice(0, at), line.slice(at + 1)];
    },
  );
  // prettier-ignore
  const isolation = [
    "--ro-bind", image.rootDir, "/", "--proc", "/proc", "--dev", "/dev", "--chdir", image.workingDir,
    "--unshare-pid", "--unshare-ipc", "--as-pid-1", "--die-with-parent", "--clearenv", ...variables, "--info-fd", "3",
  ];
  // prettier-ignore
  const asUser = [
    "setpriv", "--reuid", uid, "--regid", gid, "--clear-groups", "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all",
  ];
  const child = spawn("bwrap", [...isolation, "--", ...asUser, ...command], {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const exit = once(child, "exit").then(([code]) => code as number | null);
  let output = "";
  const keep = (chunk: Buffer) => (output = (output + chunk.toString("utf8")).slice(-50_000));
  child.stdout!.on("data", keep);
  child.stderr!.on("data", keep);
  const pid = await firstProcessOf(child);
  return {
    pid,
    output: () => output,
    exit,
    signal: (name) => void process.kill(pid, name),
  };
}

/** bwrap reports the process ID as JSON. */
async function firstProcessOf(child: ChildProcess): Promise<number> {
  let report = "";
  for await (const chunk of child.stdio[3] as Readable) report += String(chunk);
  return (JSON.parse(report) as { "child-pid": number })["child-pid"];
}
