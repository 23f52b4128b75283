import { join } from "node:path";
import { readTextIfExists } from "./read-text.js";

/** The members of `.stowage/demo.json` that an app needs. */
export interface DemoProject {
  base_url: string;
  api_key: string;
}

/** Finds the demo project of the `npx stowage` that runs in this folder or in its parent. */
export async function findDemoProject(folder: string): Promise<DemoProject | undefined> {
  for (const place of [folder, join(folder, "..")]) {
    const text = await readTextIfExists(join(place, ".stowage", "demo.json"));
    if (text === undefined) continue;
    const demo = parse(text);
    if (demo !== undefined) return demo;
  }
  return undefined;
}

/** @returns undefined for a damaged file: `npx stowage` writes a new one at its next start */
function parse(text: string): DemoProject | undefined {
  try {
    const { base_url, api_key } = JSON.parse(text) as Record<string, unknown>;
    // One line each, because both become lines of an env file.
    return isWord(base_url) && isWord(api_key) ? { base_url, api_key } : undefined;
  } catch {
    return undefined;
  }
}

function isWord(value: unknown): value is string {
  return typeof value === "string" && /^\S+$/.test(value);
}
