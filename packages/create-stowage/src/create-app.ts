import { existsSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { CreateError } from "./create-error.js";
import { planEnvFile, writeEnvFile } from "./env-file.js";
import { type NewFile, readLayer, writeNewFiles } from "./files.js";
import { type PackageManager, runPrefix } from "./package-manager.js";
import { DOCS, ownVersion } from "./package-root.js";
import type { Template } from "./templates.js";

/** A folder that holds nothing else counts as empty. `npx stowage` makes the last one. */
const NOT_COUNTED = [".git", ".DS_Store", ".idea", ".vscode", ".stowage"];

export interface AppOptions {
  folder: string;
  name: string;
  template: Template;
  manager: PackageManager;
  /** Uses a folder that is not empty. No file is overwritten. */
  force: boolean;
}

/**
 * Writes the files of a new app, with the demo project's key if `npx stowage` has run there.
 *
 * @returns whether .env has a key
 * @throws {CreateError} before anything is written, if the folder is not empty or has a file of the same name
 */
export async function createApp(options: AppOptions): Promise<{ hasKey: boolean }> {
  const { folder, force } = options;
  await checkFolder(folder, force);
  const files = await filesOf(options);
  const taken = [...files.map(({ path }) => path), ".env"].filter((path) => existsSync(join(folder, path)));
  if (taken.length > 0) {
    throw new CreateError(
      `${folder} already has ${taken.join(", ")}. No file is overwritten: choose another folder.`,
    );
  }
  await mkdir(folder, { recursive: true });
  await writeNewFiles(folder, files);
  const env = await planEnvFile(folder, ".env");
  if (env.text !== undefined) await writeEnvFile(folder, ".env", env.text);
  return { hasKey: env.state === "key" };
}

async function checkFolder(folder: string, force: boolean): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw new CreateError(
      error.code === "ENOTDIR"
        ? `${folder} is a file. Choose another folder.`
        : `${folder} cannot be read (${error.code}).`,
    );
  });
  const found = names.filter((name) => !NOT_COUNTED.includes(name));
  if (found.length === 0 || force) return;
  throw new CreateError(
    `${folder} is not empty: it has ${found.slice(0, 3).join(", ")}${found.length > 3 ? ", …" : ""}. ` +
      "Choose another folder, or --force to use it. No file is overwritten.",
  );
}

/** A later layer replaces the files of an earlier one. */
async function filesOf({ name, template, manager }: AppOptions): Promise<NewFile[]> {
  const layers = await Promise.all(template.layers.map(readLayer));
  const texts = new Map(layers.flat().map(({ path, text }) => [path, text]));
  return [...texts].map(([path, text]) => {
    if (path === "package.json") return { path, text: packageJsonFor(text, name) };
    if (path === "README.md") return { path, text: readmeFor(text, { name, template, manager }) };
    return { path, text };
  });
}

/** The templates name no version of our packages, so that a release does not have to change them. */
function packageJsonFor(text: string, name: string): string {
  const manifest = JSON.parse(text) as { name: string; dependencies: Record<string, string> };
  manifest.name = name;
  for (const dependency of Object.keys(manifest.dependencies)) {
    if (dependency.startsWith("@stowage/")) manifest.dependencies[dependency] = `^${ownVersion()}`;
  }
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function readmeFor(
  text: string,
  { name, template, manager }: Pick<AppOptions, "name" | "template" | "manager">,
): string {
  const values: Record<string, string> = {
    name,
    title: template.title,
    run: runPrefix(manager),
    route: template.route,
    page: template.page,
    helperDocs: DOCS.helper,
    uploader: template.uploader,
    uploaderDocs: DOCS[template.uploader],
  };
  return text.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, key: string) => values[key] ?? placeholder);
}
