import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, lstat, mkdir, readdir, realpath, symlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { root } from "./root.js";

/**
 * Copies what git tracks, and new files, into an empty folder. Dependencies are links to those of this checkout; the packages of the
 * workspace are links to their copies.
 */
export async function copyTree(copy: string): Promise<void> {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  const files = [...new Set(listed.split("\0"))].filter(
    (path) => path !== "" && existsSync(join(root, path)),
  );
  const folders = new Set(files.map((path) => dirname(path)));
  for (const folder of folders) await mkdir(join(copy, folder), { recursive: true });
  for (const path of files) await copyFile(join(root, path), join(copy, path));
  for (const folder of folders) await linkPackages(join(folder, "node_modules"), copy);
}

/** Caches of tools are left out: each tree has its own. */
const isCache = (name: string) => name.startsWith(".") && name !== ".bin";

async function linkPackages(folder: string, copy: string): Promise<void> {
  if (!existsSync(join(root, folder))) return;
  await mkdir(join(copy, folder), { recursive: true });
  for (const name of await readdir(join(root, folder))) {
    const path = join(folder, name);
    if (isCache(name)) continue;
    if (name.startsWith("@") && !(await lstat(join(root, path))).isSymbolicLink())
      await linkPackages(path, copy);
    else await symlink(inCopy(await realpath(join(root, path)), copy), join(copy, path));
  }
}

function inCopy(target: string, copy: string): string {
  const path = relative(root, target);
  return path.startsWith("..") || path.split("/").includes("node_modules") ? target : join(copy, path);
}
