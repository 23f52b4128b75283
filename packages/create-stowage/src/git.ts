import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { join } from "node:path";
import { readTextIfExists } from "./read-text.js";

const TIMEOUT_MS = 10_000;
/** Lines of a .gitignore that cover the env files that we write. Used outside of a repository, where Git cannot be asked. */
const COVERING = (name: string) => [name, `/${name}`, ".env*", "/.env*", ".env.*", "*.local", ".env*.local"];

export type GitState = "ignored" | "not ignored" | "tracked";

/** Says whether Git would commit this file of the folder. */
export async function gitStateOf(folder: string, name: string): Promise<GitState> {
  if ((await exitCodeOf(["ls-files", "--error-unmatch", "--", name], folder)) === 0) return "tracked";
  const ignored = await exitCodeOf(["check-ignore", "--quiet", "--", name], folder);
  if (ignored === 0) return "ignored";
  if (ignored === 1) return "not ignored";
  // Not a repository yet, or no Git on this machine.
  const lines = ((await readTextIfExists(join(folder, ".gitignore"))) ?? "").split(/\r?\n/);
  return COVERING(name).some((line) => lines.includes(line)) ? "ignored" : "not ignored";
}

/** @returns undefined if Git is not installed or does not answer */
async function exitCodeOf(args: string[], cwd: string): Promise<number | undefined> {
  try {
    await promisify(execFile)("git", args, { cwd, timeout: TIMEOUT_MS });
    return 0;
  } catch (error) {
    const { code } = error as { code?: number | string };
    return typeof code === "number" ? code : undefined;
  }
}
