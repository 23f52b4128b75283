import { mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { displayPath } from "./display-path.js";
import { acquireInstanceLock } from "./instance-lock.js";
import { LocalError } from "./settings.js";

export interface DataDir {
  path: string;
  logDir: string;
  /** Releases the folder for another process. */
  release(): Promise<void>;
}

/**
 * Creates the data folder, readable by its owner only, and locks it: two PostgreSQL servers on one folder would stop each
 * other.
 *
 * @throws {LocalError} if another process has locked the folder, or if the folder cannot be created
 */
export async function openDataDir(path: string): Promise<DataDir> {
  try {
    await createFolder(path);
    await keepOutOfGit(path);
    const logDir = await createSubfolder(path, "logs");
    return { path, logDir, release: await acquireInstanceLock(path) };
  } catch (error) {
    if (error instanceof LocalError) throw error;
    throw new LocalError(
      `The data folder ${path} cannot be used (${(error as NodeJS.ErrnoException).code}). ` +
        "Set STOWAGE_DATA_DIR to a folder that this user can write.",
    );
  }
}

/**
 * Creates a subfolder of the data folder unless it exists.
 *
 * @throws {LocalError} if a file with this name exists, or if the folder cannot be created
 */
export async function createSubfolder(dataDir: string, name: string): Promise<string> {
  const path = join(dataDir, name);
  try {
    await createFolder(path);
    return path;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new LocalError(
      code === "EEXIST"
        ? `${displayPath(path)} is a file, but Stowage needs a folder of this name. Move the file away, or set STOWAGE_DATA_DIR to another folder.`
        : `The folder ${displayPath(path)} cannot be created (${code}). Set STOWAGE_DATA_DIR to a folder that this user can write.`,
    );
  }
}

/** The folder contains keys and passwords, and may be in a repository of the person. */
async function keepOutOfGit(path: string): Promise<void> {
  await writeFile(join(path, ".gitignore"), "*\n", { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}

/** One level at a time: the recursive mkdir of Node never returns if the system always answers ENOENT, as /proc does. */
async function createFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  if (dirname(path) !== path) await createFolder(dirname(path));
  await mkdir(path, { mode: 0o700 }).catch(async (error: unknown) => {
    if (!(await isFolder(path))) throw error; // another process may have created it in the meantime
  });
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
