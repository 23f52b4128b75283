import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LocalError } from "./settings.js";

export interface DataDir {
  path: string;
  logDir: string;
  /** Lets another start have the folder. */
  release(): Promise<void>;
}

/**
 * Makes the data folder, open to its owner alone, and keeps a second start out of it: two PostgreSQLs on one folder would
 * end each other.
 *
 * @throws {LocalError} when another start has it, or it cannot be made
 */
export async function openDataDir(path: string): Promise<DataDir> {
  const logDir = join(path, "logs");
  const lock = join(path, "running.pid");
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await mkdir(logDir, { recursive: true, mode: 0o700 });
    await takeLock(lock);
  } catch (error) {
    if (error instanceof LocalError) throw error;
    throw new LocalError(
      `The data folder ${path} cannot be used (${(error as NodeJS.ErrnoException).code}): set STOWAGE_DATA_DIR to one that can.`,
    );
  }
  return { path, logDir, release: () => rm(lock, { force: true }) };
}

async function takeLock(lock: string): Promise<void> {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      return await writeFile(lock, String(process.pid), { flag: "wx", mode: 0o600 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      const pid = Number(await readFile(lock, "utf8").catch(() => ""));
      if (pid !== process.pid && isAlive(pid)) {
        throw new LocalError(
          `Stowage is already running on this data folder, as process ${pid}: end it first, or set STOWAGE_DATA_DIR.`,
        );
      }
      await rm(lock, { force: true }); // left behind by a start that was killed
    }
  }
  throw new LocalError("Another start is taking this data folder right now: try again.");
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** A JSON file of the data folder, made by `make` when it is not there. Only its owner may read it. */
export async function rememberedJson<T>(file: string, make: () => T): Promise<T> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text !== undefined) return JSON.parse(text) as T;
  const made = make();
  await writePrivateJson(file, made);
  return made;
}

/** Whole or not at all: a crash leaves the old file. */
export async function writePrivateJson(file: string, value: unknown): Promise<void> {
  const draft = `${file}.${randomBytes(4).toString("hex")}`;
  await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(draft, file);
}
