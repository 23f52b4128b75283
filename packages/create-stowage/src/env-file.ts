import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findDemoProject } from "./demo-project.js";
import { readTextIfExists } from "./read-text.js";

const COMMENT =
  "# Stowage: only your server reads these. `npx stowage` writes the key of its demo project into .stowage/demo.json.";
const DEFAULT_URL = "http://localhost:4000";

/** What an env file has: nothing of Stowage, the names without a key, or a key. */
type EnvState = "missing" | "no key" | "key";

/** What has to be done to an env file. The key is in `text` only, which nothing prints. */
export interface EnvPlan {
  state: EnvState;
  /** The new text of the file; undefined if it stays as it is. */
  text: string | undefined;
}

/**
 * Plans STOWAGE_URL and STOWAGE_API_KEY in an env file of the app. If `npx stowage` has run in the folder or its parent, the key is
 * that of its demo project; else it stays empty. An existing key and every other line are kept.
 */
export async function planEnvFile(folder: string, name: string): Promise<EnvPlan> {
  const text = (await readTextIfExists(join(folder, name))) ?? "";
  const state = stateOf(text);
  if (state === "key") return { state, text: undefined };
  const demo = await findDemoProject(folder);
  if (demo === undefined && state === "no key") return { state, text: undefined };
  const lines = [
    COMMENT,
    `STOWAGE_URL=${demo?.base_url ?? DEFAULT_URL}`,
    `STOWAGE_API_KEY=${demo?.api_key ?? ""}`,
  ];
  return { state: demo === undefined ? "no key" : "key", text: append(withoutOwnLines(text), lines) };
}

/** The owner alone may read a new file. A file that exists keeps its permissions. */
export async function writeEnvFile(folder: string, name: string, text: string): Promise<void> {
  await writeFile(join(folder, name), text, { mode: 0o600 });
}

function stateOf(text: string): EnvState {
  const value = /^[ \t]*(?:export[ \t]+)?STOWAGE_API_KEY[ \t]*=[ \t]*(\S*)/m.exec(text)?.[1];
  if (value === undefined) return "missing";
  return value === "" ? "no key" : "key";
}

function withoutOwnLines(text: string): string {
  const isOwn = (line: string) => line === COMMENT || /^\s*(export\s+)?STOWAGE_(URL|API_KEY)\s*=/.test(line);
  return text
    .split("\n")
    .filter((line) => !isOwn(line))
    .join("\n");
}

function append(text: string, lines: string[]): string {
  const before = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return `${before}${lines.join("\n")}\n`;
}
