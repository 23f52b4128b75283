import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const DOCS = new URL("../../../../docs/", import.meta.url);

/** Finds the program of a guide: the block that begins with a comment with this name, or the file of this name that the guide links to. */
export async function readProgram(page: string, name: string): Promise<string> {
  const address = new URL(page, DOCS);
  const text = await readFile(fileURLToPath(address), "utf8");
  const program = text
    .split("```")
    .find((block) => /^(?:#|\/\/) (.+?):/.exec(block.split("\n")[1] ?? "")?.[1] === name);
  if (program !== undefined) return program.slice(program.indexOf("\n") + 1);
  const link = [...text.matchAll(/\]\(([^)]+)\)/g)].find(([, path]) => path!.endsWith(`/${name}`))?.[1];
  if (link === undefined) throw new Error(`docs/${page} has no program "${name}"`);
  return readFile(fileURLToPath(new URL(link, address)), "utf8");
}
