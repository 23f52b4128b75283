import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** The build bundles this file to another place, so the root is found from the working directory, which is inside the repository. */
const ROOT = findRoot(process.cwd());

function findRoot(folder: string): string {
  if (existsSync(join(folder, "pnpm-workspace.yaml"))) return folder;
  if (dirname(folder) === folder) throw new Error("The working directory is not inside the repository");
  return findRoot(dirname(folder));
}

/** Reads a text file. @param path relative to the root of the repository, with `/` */
export const readText = (path: string): string => readFileSync(join(ROOT, path), "utf8");

export const readBytes = (path: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(readFileSync(join(ROOT, path)));

export function kindOf(path: string): "file" | "folder" | undefined {
  const found = statSync(join(ROOT, path), { throwIfNoEntry: false });
  if (found?.isFile()) return "file";
  return found?.isDirectory() ? "folder" : undefined;
}

/** Lists the files of a folder whose names end like this, sorted by name. */
export function listFiles(folder: string, ending: string): string[] {
  const names = kindOf(folder) === "folder" ? readdirSync(join(ROOT, folder)) : [];
  return names
    .filter((name) => name.endsWith(ending))
    .toSorted()
    .map((name) => `${folder}/${name}`);
}

/** Lists the TypeScript files in a folder and in its folders, without tests. */
export function listSources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .toSorted()
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`);
}

export const listMarkdown = (folder: string): string[] => listFiles(folder, ".md");

/** Lists the folders in a folder. */
export function listFolders(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`);
}
