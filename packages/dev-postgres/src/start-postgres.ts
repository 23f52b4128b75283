import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findBinaries } from "./binaries.js";
import { DATABASE, ensureCluster, USER } from "./cluster.js";
import { freePort } from "./free-port.js";
import { chooseRunner } from "./runner.js";

export interface DevPostgresOptions {
  /** The folder that holds the cluster; made when missing. One running server a folder. */
  dir: string;
  /** 0, the default, takes a free one. */
  port?: number;
  /** False trades a crash-safe disk for speed: for tests alone. Default true. */
  durable?: boolean;
}

export interface DevPostgres {
  /** A connection string with its password: never print it. */
  url: string;
  port: number;
  /** Resolves once the server has ended by itself or by `stop`. */
  ended: Promise<void>;
  /** Closes connections, writes what is open, ends the server. Safe to call twice. */
  stop(): Promise<void>;
}

const START_MS = 60_000;
const STOP_MS = 20_000;

/**
 * Starts a real PostgreSQL on 127.0.0.1 over a folder, making the cluster on the first start. A server that an
 * earlier, killed parent left behind in the same folder is ended first.
 *
 * @throws {Error} with a sentence that says what to do when this machine has no binaries, forbids an unprivileged
 * process, or the server does not come up within a minute.
 */
export async function startPostgres(options: DevPostgresOptions): Promise<DevPostgres> {
  const dir = resolve(options.dir);
  const binaries = await findBinaries();
  const runner = await chooseRunner(binaries);
  const cluster = await ensureCluster(dir, binaries, runner);
  const stopServer = () =>
    runner.run(binaries.pgCtl, ["stop", "-D", cluster.dataDir, "-m", "fast", "-t", "20"]);
  await stopServer().catch(() => undefined); // nothing was running: the usual case

  const port = options.port || (await freePort());
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    log_min_messages: "warning",
    ...(options.durable === false
      ? { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }
      : {}),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const log = await open(join(dir, "postgres.log"), "a");
  const {
    command,
    args,
    options: spawnOptions,
  } = runner.wrap(binaries.postgres, ["-D", cluster.dataDir, "-p", `${port}`, ...flags]);
  // Its own process group: Ctrl-C reaches whoever started us, and they stop PostgreSQL last.
  const server = spawn(command, args, { ...spawnOptions, detached: true, stdio: ["ignore", log.fd, log.fd] });
  const ended = once(server, "exit").then(() => undefined);
  ended.catch(() => undefined);
  await log.close();
  await waitUntilReady(server, cluster.dataDir, join(dir, "postgres.log"));

  let stopping: Promise<void> | undefined;
  return {
    url: `postgres://${USER}:${cluster.password}@127.0.0.1:${port}/${DATABASE}`,
    port,
    ended,
    stop: () =>
      (stopping ??= (async () => {
        if (server.exitCode !== null || server.signalCode !== null) return;
        await stopServer().catch(() => server.kill("SIGQUIT"));
        await Promise.race([ended, sleep(STOP_MS, undefined, { ref: false })]);
      })()),
  };
}

/** PostgreSQL itself notes its state in the eighth line of postmaster.pid: no log to parse, no connection to try. */
async function waitUntilReady(server: ChildProcess, dataDir: string, logFile: string): Promise<void> {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    if (server.exitCode !== null || server.signalCode !== null) break;
    const state = await readFile(join(dataDir, "postmaster.pid"), "utf8").catch(() => "");
    const [pid, , , , , , , status] = state.split("\n");
    if (Number(pid) === server.pid && status?.trim() === "ready") return;
    await sleep(20);
  }
  server.kill("SIGQUIT");
  throw new Error(`PostgreSQL did not start: its own words are in ${logFile}`);
}
