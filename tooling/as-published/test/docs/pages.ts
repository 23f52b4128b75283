import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CodeBlock, codeBlocks } from "./code-blocks.js";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

/** The pages that a user reads, with their TypeScript examples. */
export async function readPages(): Promise<{ page: string; blocks: CodeBlock[] }[]> {
  const guides = (await Promise.all(["docs", "docs/guides"].map(markdownOf))).flat();
  const packages = await readdir(join(ROOT, "packages"), { withFileTypes: true });
  const pages = [
    "README.md",
    ...guides,
    ...packages.filter((entry) => entry.isDirectory()).map(({ name }) => `packages/${name}/README.md`),
  ];
  const read = pages.map(async (page) => {
    // A package without a readme has no examples.
    const text = await readFile(join(ROOT, page), "utf8").catch(() => "");
    return { page, blocks: codeBlocks(text) };
  });
  return Promise.all(read);
}

async function markdownOf(folder: string): Promise<string[]> {
  const names = await readdir(join(ROOT, folder));
  return names.filter((name) => name.endsWith(".md")).map((name) => `${folder}/${name}`);
}

/** Finds the example that names this path in its first line. */
export async function exampleAt(page: string, path: string): Promise<string> {
  const pages = await readPages();
  const example = pages.find((each) => each.page === page)?.blocks.find((block) => block.path === path);
  if (example === undefined) throw new Error(`${page} has no example that begins with "// ${path}"`);
  return example.code;
}
