import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Lists the pages of a built site. */
export async function listHtml(root: string): Promise<string[]> {
  const names = await readdir(root, { recursive: true });
  return names.filter((name) => name.endsWith(".html")).map((name) => join(root, name));
}
