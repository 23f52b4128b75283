import { mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { lockFolder } from "./folder-lock.js";
import { LocalError } from "./settings.js";
import { shownPath } from "./shown-path.js";

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
  try {
    await makeFolder(path);
    const logDir = await subfolder(path, "logs");
    return { path, logDir, release: await lockFolder(path) };
  } catch (error) {
    if (error instanceof LocalError) throw error;
    throw new LocalError(
      `The data folder ${path} cannot be used (${(error as NodeJS.ErrnoException).code}): set STOWAGE_DATA_DIR to one that can.`,
    );
  }
}

/**
 * Makes a folder of the data folder where there is none.
 *
 * @throws {LocalError} when something else has its name
 */
export async function subfolder(dataDir: string, name: string): Promise<string> {
  const path = join(dataDir, name);
  try {
    await makeFolder(path);
    return path;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new LocalError(
      code === "EEXIST"
        ? `${shownPath(path)} is a file where a folder belongs: move it away, or set STOWAGE_DATA_DIR to another folder.`
        : `The folder ${shownPath(path)} cannot be made (${code}): set STOWAGE_DATA_DIR to a folder that can be written.`,
    );
  }
}

/** Level by level: Node's own recursive mkdir never returns where the system answers ENOENT for ever, as in /proc. */
async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  if (dirname(path) !== path) await makeFolder(dirname(path));
  await mkdir(path, { mode: 0o700 }).catch(async (error: unknown) => {
    if (!(await isFolder(path))) throw error; // another start may have made it just now
  });
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
