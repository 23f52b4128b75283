import { randomBytes } from "node:crypto";
import { chown, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Binaries } from "./binaries.js";
import type { Runner } from "./runner.js";

export const USER = "stowage";
export const DATABASE = "stowage";

export interface Cluster {
  dataDir: string;
  password: string;
}

/** With what the cluster is made. */
export interface Tools {
  binaries: Binaries;
  runner: Runner;
  signal: AbortSignal | undefined;
}

/**
 * Makes the cluster when the folder has none: `data/` and the password beside it. It is built under another name and
 * renamed when complete, so a start that was cut short is simply done again.
 */
export async function ensureCluster(dir: string, tools: Tools): Promise<Cluster> {
  const { runner } = tools;
  const cluster = join(dir, "cluster");
  const dataDir = join(cluster, "data");
  const passwordFile = join(cluster, "password");
  if (!(await exists(cluster))) {
    const draft = join(dir, "cluster.draft");
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { mode: 0o700 });
    await writeFile(join(draft, "password"), randomBytes(24).toString("hex"), { mode: 0o600 });
    if (runner.ownerUid !== null) await giveTo(runner.ownerUid, dir);
    await initialise(draft, tools);
    await rename(draft, cluster);
  }
  if (runner.ownerUid !== null) await giveTo(runner.ownerUid, dir);
  return { dataDir, password: (await readFile(passwordFile, "utf8")).trim() };
}

async function initialise(draft: string, { binaries, runner, signal }: Tools): Promise<void> {
  const dataDir = join(draft, "data");
  // prettier-ignore
  const settings = [
    "-D", dataDir, "-U", USER, "--pwfile", join(draft, "password"), "--auth=scram-sha-256", "--data-checksums",
    // The same order and case rules on every machine, whatever locales it has.
    "--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C",
  ];
  await runner.run(binaries.initdb, settings, { signal });
  // No client is in the package: PostgreSQL's single-user mode makes the database.
  await runner.run(binaries.postgres, ["--single", "-D", dataDir, "postgres"], {
    stdin: `CREATE DATABASE ${DATABASE};\n`,
    signal,
  });
}

/** Only where the owner differs: an earlier start may have run the other way (see runner.ts). */
async function giveTo(uid: number, path: string): Promise<void> {
  const stat = await lstat(path);
  if (stat.uid !== uid) await chown(path, uid, uid);
  if (stat.isDirectory()) for (const name of await readdir(path)) await giveTo(uid, join(path, name));
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
