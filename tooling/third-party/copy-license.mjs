import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Copies the license of a package whose code `dist` contains into dist/licenses, with a file that names the package for programs.
 *
 * @param folder the package's folder
 * @param dist the folder of our build
 * @returns the package's version
 */
export async function copyLicense(folder, dist) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const file = join(dist, "licenses", name.replace("@", "").replace("/", "-"));
  await mkdir(join(dist, "licenses"), { recursive: true });
  await copyFile(join(folder, "LICENSE"), `${file}.txt`);
  await writeFile(`${file}.json`, `${JSON.stringify({ name, version, license })}\n`);
  return version;
}
