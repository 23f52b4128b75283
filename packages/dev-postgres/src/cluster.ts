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

/** What creates the cluster. */
export interface Tools {
  binaries: Binaries;
  runner: Runner;
  signal: AbortSignal | undefined;
}

/**
 * Creates the cluster, which is the folder `data/` and a password file, unless it exists. It is created under another name and
 * renamed when it is complete, so an interrupted start leaves no incomplete cluster.
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
    if (runner.ownerUid !== null) await changeOwner(runner.ownerUid, dir);
    await initialise(draft, tools);
    await rename(draft, cluster);
  }
  if (runner.ownerUid !== null) await changeOwner(runner.ownerUid, dir);
  return { dataDir, password: (await readFile(passwordFile, "utf8")).trim() };
}

async function initialise(draft: string, { binaries, runner, signal }: Tools): Promise<void> {
  const dataDir = join(draft, "data");
  // prettier-ignore
  const settings = [
    "-D", dataDir, "-U", USER, "--pwfile", join(draft, "password"), "--auth=scram-sha-256", "--data-checksums",
    // The same collation and case rules on every machine, independent of its locales.
    "--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C",
  ];
  await runner.run(binaries.initdb, settings, { signal });
  // The npm package contains no client, so PostgreSQL's single-user mode creates the database.
  await runner.run(binaries.postgres, ["--single", "-D", dataDir, "postgres"], {
    stdin: `CREATE DATABASE ${DATABASE};\n`,
    signal,
  });
}

/** Changes the owner where it differs: an earlier start may have used the other runner (see runner.ts). */
async function changeOwner(uid: number, path: string): Promise<void> {
  const stat = await lstat(path);
  if (stat.uid !== uid) await chown(path, uid, uid);
  if (stat.isDirectory()) for (const name of await readdir(path)) await changeOwner(uid, join(path, name));
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
