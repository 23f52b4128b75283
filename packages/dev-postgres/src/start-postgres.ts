import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { findBinaries } from "./binaries.js";
import { DATABASE, ensureCluster, USER } from "./cluster.js";
import { freePort } from "./free-port.js";
import { endLeftover } from "./leftover.js";
import { chooseRunner } from "./runner.js";
import { endServer, spawnServer, waitUntilReady } from "./server.js";

export interface DevPostgresOptions {
  /** The folder that holds the cluster; made when missing. One running server a folder. */
  dir: string;
  /** 0, the default, takes a free one. */
  port?: number;
  /** False trades a crash-safe disk for speed: for tests alone. Default true. */
  durable?: boolean;
  /** Gives the start up: what it started is ended, and the promise rejects with the signal's reason. */
  signal?: AbortSignal;
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

/**
 * Starts a real PostgreSQL on 127.0.0.1 over a folder, making the cluster on the first start. A server that an
 * earlier, killed parent left behind in the same folder is ended first.
 *
 * @throws {Error} with a sentence that says what to do when this machine has no binaries, forbids an unprivileged
 * process, or the server does not come up within a minute.
 */
export async function startPostgres(options: DevPostgresOptions): Promise<DevPostgres> {
  const { signal } = options;
  const dir = resolve(options.dir);
  const binaries = await findBinaries();
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const runner = await chooseRunner(binaries, dir);
  const cluster = await ensureCluster(dir, { binaries, runner, signal });
  /** Ends the server that postmaster.pid names. */
  const stopNoted = () =>
    runner.run(binaries.pgCtl, ["stop", "-D", cluster.dataDir, "-m", "fast", "-t", "20"]);
  const strangerPid = await endLeftover(cluster.dataDir, stopNoted);
  signal?.throwIfAborted();

  const port = options.port || (await freePort());
  const flags = Object.entries(settingsOf(options)).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = await spawnServer(
    runner.wrap(binaries.postgres, ["-D", cluster.dataDir, "-p", `${port}`, ...flags]),
    { dataDir: cluster.dataDir, logFile: join(dir, "postgres.log"), strangerPid },
  );
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= endServer(server, stopNoted));
  try {
    await waitUntilReady(server, signal);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: `postgres://${USER}:${cluster.password}@127.0.0.1:${port}/${DATABASE}`,
    port,
    ended: server.ended,
    stop,
  };
}

function settingsOf({ durable = true }: DevPostgresOptions): Record<string, string> {
  return {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    log_min_messages: "warning",
    ...(durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
  };
}
