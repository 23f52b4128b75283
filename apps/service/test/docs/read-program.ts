import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const DOCS = new URL("../../../../docs/", import.meta.url);

/** Finds the program of a guide that begins with a comment with this name. */
export async function readProgram(page: string, name: string): Promise<string> {
  const text = await readFile(fileURLToPath(new URL(page, DOCS)), "utf8");
  const program = text
    .split("```")
    .find((block) => /^(?:#|\/\/) (.+?):/.exec(block.split("\n")[1]!)?.[1] === name);
  if (program === undefined) throw new Error(`docs/${page} has no program "${name}"`);
  return program.slice(program.indexOf("\n") + 1);
}
