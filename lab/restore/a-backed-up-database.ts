import { execFile, execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { appendFile, chown, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "@stowage/dev-postgres";
import postgres from "postgres";
import { vi } from "vitest";
import { aDebianServer, type DebianServer } from "@stowage/service/test/fixtures/a-debian-server.js";

/** PostgreSQL 15 whose WAL pgBackRest archives into a repository, with the files of `deploy/pgbackrest`. */
export interface BackedUpDatabase {
  url: string;
  /** Takes a backup while the server runs. */
  backUp(type: "full" | "incr"): Promise<void>;
  /** The server's time, to which it can be restored. */
  moment(): Promise<string>;
  /** Archives the WAL until now, as `archive_timeout` does. */
  archive(): Promise<void>;
  /** Kills the server and removes its data. Only the repository stays. */
  destroy(): Promise<void>;
  /** Restores the data to a moment, starts the server and waits until it accepts changes. */
  restore(moment: string): Promise<void>;
  close(): Promise<void>;
}

const DEPLOYED = new URL("../../deploy/pgbackrest/", import.meta.url);
const BIN = "/usr/lib/postgresql/15/bin";
const USER = "stowage";
const run = promisify(execFile);

export async function aBackedUpDatabase(): Promise<BackedUpDatabase> {
  const dir = await mkdtemp(join(tmpdir(), "stowage-backup-"));
  const [data, config] = [join(dir, "data"), join(dir, "pgbackrest.conf")];
  const port = await freePort();
  const password = randomBytes(12).toString("hex");
  const owner: { uid?: number; gid?: number } = process.getuid?.() === 0 ? userIds("postgres") : {};
  for (const name of ["repository", "lock", "log", "spool", "socket"]) await mkdir(join(dir, name));
  await writeFile(config, await settings(dir, port));
  await writeFile(join(dir, "password"), password);
  if (owner.uid !== undefined)
    for (const name of ["", "repository", "lock", "log", "spool", "socket", "pgbackrest.conf", "password"])
      await chown(join(dir, name), owner.uid, owner.gid!);
  const asOwner = (program: string, args: string[]) =>
    run(program, args, { ...owner, cwd: dir, timeout: 120_000 });
  const pgBackRest = (...args: string[]) =>
    asOwner("pgbackrest", [`--config=${config}`, "--stanza=stowage", ...args]);

  await asOwner(
    join(BIN, "initdb"),
    [
      ["-D", data, "-U", USER, "--pwfile", join(dir, "password"), "--encoding=UTF8", "--locale=C"],
      ["--data-checksums", "--auth-local=trust", "--auth-host=scram-sha-256"],
    ].flat(),
  );
  await appendFile(
    join(data, "postgresql.conf"),
    `listen_addresses = '127.0.0.1'
port = ${port}
unix_socket_directories = '${join(dir, "socket")}'
max_connections = 200
${await deployed("postgresql.conf", { "pgbackrest --": `pgbackrest --config=${config} --` })}`,
  );
  const start = () =>
    aDebianServer({ program: join(BIN, "postgres"), args: ["-D", data], port, cwd: dir, ...owner });
  let server: DebianServer = await start();
  const url = `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`;
  const query = async <Row>(text: string): Promise<Row> => {
    const sql = postgres(url, { max: 1, onnotice: () => undefined });
    return sql
      .unsafe(text)
      .then(([row]) => row as Row)
      .finally(() => sql.end());
  };
  const isReady = async () => !(await query<{ wait: boolean }>("select pg_is_in_recovery() as wait")).wait;
  const waitUntilReady = () =>
    vi.waitFor(
      async () => {
        if (!(await isReady())) throw new Error(`the server still recovers: ${server.log().slice(-2000)}`);
      },
      { timeout: 60_000, interval: 100 },
    );
  await waitUntilReady();
  await pgBackRest("stanza-create");

  return {
    url,
    backUp: async (type) => void (await pgBackRest(`--type=${type}`, "backup")),
    moment: async () => (await query<{ at: string }>("select clock_timestamp()::text as at")).at,
    async archive() {
      const { name } = await query<{ name: string }>("select pg_walfile_name(pg_switch_wal()) as name");
      await vi.waitFor(
        async () => {
          const done = `select last_archived_wal >= '${name}' as done from pg_stat_archiver`;
          if (!(await query<{ done: boolean }>(done)).done) throw new Error("the WAL is not archived yet");
        },
        { timeout: 30_000, interval: 100 },
      );
    },
    async destroy() {
      await server.end("SIGKILL");
      // The processes of the server end by themselves when it is gone. Until then they may write files.
      await vi.waitFor(() => rm(data, { recursive: true, force: true }), { timeout: 10_000, interval: 100 });
    },
    async restore(moment) {
      await mkdir(data, { mode: 0o700 });
      if (owner.uid !== undefined) await chown(data, owner.uid, owner.gid!);
      await pgBackRest("--type=time", `--target=${moment}`, "--target-action=promote", "restore");
      server = await start();
      await waitUntilReady();
    },
    async close() {
      await server.end("SIGTERM");
      await rm(dir, { recursive: true, force: true });
    },
  };
}

const settings = async (dir: string, port: number) => `${await deployed("pgbackrest.conf", {
  "/var/lib/pgbackrest": `${dir}/repository`,
  "…": randomBytes(24).toString("base64"),
  "[stowage]": `lock-path=${dir}/lock\nlog-path=${dir}/log\nspool-path=${dir}/spool\n\n[stowage]`,
  "/var/lib/postgresql/15/main": `${dir}/data`,
})}pg1-port=${port}
pg1-socket-path=${dir}/socket
pg1-user=${USER}
pg1-database=postgres
`;

/** A file of `deploy/pgbackrest` with the paths of the test. */
async function deployed(name: string, paths: Record<string, string>): Promise<string> {
  let text = await readFile(new URL(name, DEPLOYED), "utf8");
  for (const [from, to] of Object.entries(paths)) {
    if (!text.includes(from)) throw new Error(`deploy/pgbackrest/${name} lacks ${from}`);
    text = text.replace(from, () => to);
  }
  return text;
}

/** PostgreSQL refuses to run as root. */
function userIds(name: string): { uid: number; gid: number } {
  const read = (option: string) => Number(execFileSync("id", [option, name], { encoding: "utf8" }));
  return { uid: read("-u"), gid: read("-g") };
}
