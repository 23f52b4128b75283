import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { run } from "#run.js";

/** A folder of one test, with these files in it. */
export async function aFolder(files: Record<string, string> = {}) {
  const path = await mkdtemp(join(tmpdir(), "create-stowage-"));
  const write = async (name: string, text: string) => {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), text);
  };
  for (const [name, text] of Object.entries(files)) await write(name, text);
  return {
    path,
    write,
    read: (name: string) => readFile(join(path, name), "utf8"),
    /** All files with their texts, by path. */
    async contents(): Promise<Record<string, string>> {
      const entries = await readdir(path, { recursive: true, withFileTypes: true });
      const found = entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name));
      return Object.fromEntries(
        await Promise.all(
          found.sort().map(async (file) => [file.slice(path.length + 1), await readFile(file, "utf8")]),
        ),
      );
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

export const DEMO_KEY = "stow_test_key_of_the_demo_project";
export const DEMO = {
  ".stowage/demo.json": JSON.stringify({ base_url: "http://localhost:4321", api_key: DEMO_KEY }),
};

/** Runs the command in a folder, without a terminal that could answer questions. @returns what it printed */
export async function create(
  cwd: string,
  args: string[],
  env: { userAgent?: string; nodeVersion?: string } = {},
) {
  const printed: string[] = [];
  await run(args, {
    cwd,
    nodeVersion: "24.0.0",
    userAgent: "npm/11.0.0 node/v24.0.0 linux x64",
    canAsk: false,
    print: (text) => printed.push(text),
    ...env,
  });
  return printed.join("\n");
}
