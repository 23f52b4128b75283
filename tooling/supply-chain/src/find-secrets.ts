import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";

/** Secrets that may never be in the repository. SECURITY.md gives the first two to operators of secret scanners. */
export const SECRET_PATTERNS: Record<string, RegExp> = {
  "API key": /stow_live_[0-9A-Za-z]{49}/g,
  "webhook secret": /whsec_[A-Za-z0-9+/]{32,86}={0,2}/g,
  "AWS access key": /(?<![A-Z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])/g,
  "S3 secret": /(?<=secret\w*["']?\s*[:=]\s*["']?)[A-Za-z0-9+/]{40}(?![\w+/=-])/gi,
  "private key": /-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[A-Za-z0-9+/=]{32}/g,
};

/** What .gitignore names, and git's own folder. */
const NOT_COMMITTED = new Set(
  ".git .turbo .stowage dist node_modules sbom screenshots test-results".split(" "),
);

export interface FoundSecret {
  kind: string;
  /** Relative to the folder, with slashes. */
  file: string;
  line: number;
  secret: string;
}

/** Finds secrets in all files below a folder that are not ignored by git. */
export async function findSecrets(folder: string): Promise<FoundSecret[]> {
  const found: FoundSecret[] = [];
  for await (const path of filesOf(folder)) {
    // A byte is a character, so that a binary file takes no time to decode. All patterns are ASCII.
    const text = await readFile(path, "latin1");
    const file = relative(folder, path).split(sep).join("/");
    for (const [kind, pattern] of Object.entries(SECRET_PATTERNS)) {
      for (const { 0: secret, index } of text.matchAll(pattern)) {
        found.push({ kind, file, line: text.slice(0, index).split("\n").length, secret });
      }
    }
  }
  return found;
}

async function* filesOf(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (NOT_COMMITTED.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesOf(path);
    else if (entry.isFile()) yield path;
  }
}
