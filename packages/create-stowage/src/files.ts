import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { TEMPLATES } from "./package-root.js";

/** A file to write: its path in the app, with slashes, and its text. */
export interface NewFile {
  path: string;
  text: string;
}

/** Reads the files of a folder of `templates/`. npm leaves out files named .gitignore, so the folder has `_gitignore`. */
export async function readLayer(layer: string): Promise<NewFile[]> {
  const root = join(TEMPLATES, layer);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    files.sort().map(async (file) => ({
      path: relative(root, file)
        .split(sep)
        .join("/")
        .replace(/(^|\/)_gitignore$/, "$1.gitignore"),
      text: await readFile(file, "utf8"),
    })),
  );
}

/** Writes files that do not exist yet. @throws {Error} EEXIST if another program has created one in the meantime */
export async function writeNewFiles(folder: string, files: readonly NewFile[]): Promise<void> {
  for (const { path, text } of files) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { flag: "wx" });
  }
}
