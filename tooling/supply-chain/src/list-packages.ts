import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "./root.js";

export interface InstalledPackage {
  name: string;
  version: string;
  /** An SPDX expression, or the text of a package that has none. */
  license: string;
}

interface Component {
  group?: string;
  name: string;
  version: string;
  licenses?: { license?: { id?: string; name?: string }; expression?: string }[];
}

/**
 * Lists the npm packages that are installed in this repository, without our own ones.
 *
 * @param options of `pnpm sbom`, for example `--prod` or a `--filter`
 */
export async function listPackages(...options: string[]): Promise<InstalledPackage[]> {
  const folder = await mkdtemp(join(tmpdir(), "stowage-packages-"));
  try {
    const file = join(folder, "sbom.json");
    const pnpm = join(root, "node_modules", ".bin", "pnpm");
    await promisify(execFile)(pnpm, ["sbom", "--sbom-format=cyclonedx", `--out=${file}`, ...options], {
      cwd: root,
      timeout: 60_000,
      shell: process.platform === "win32",
    });
    const { components } = JSON.parse(await readFile(file, "utf8")) as { components: Component[] };
    return components.filter(({ group }) => group !== "@stowage").map(toPackage);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function toPackage({ group, name, version, licenses = [] }: Component): InstalledPackage {
  const [first] = licenses;
  const license = first?.expression ?? first?.license?.id ?? first?.license?.name ?? "none";
  return { name: group ? `${group}/${name}` : name, version, license };
}
