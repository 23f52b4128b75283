import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../..", import.meta.url));

export interface PublishedPackage {
  name: string;
  version: string;
}

/** Reads the packages that a release publishes: all of `packages/` that are not private. */
export async function readPublishedPackages(): Promise<PublishedPackage[]> {
  const folders = await readdir(join(root, "packages"));
  const manifests = await Promise.all(folders.map((name) => readManifest(join(root, "packages", name))));
  return manifests.filter((manifest) => !manifest.private).map(({ name, version }) => ({ name, version }));
}

async function readManifest(folder: string): Promise<PublishedPackage & { private?: boolean }> {
  return JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as PublishedPackage;
}
