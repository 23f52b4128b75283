import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { findBinaries } from "./binaries.js";
import { DATABASE, ensureCluster, USER } from "./cluster.js";
import { freePort } from "./free-port.js";
import { chooseRunner } from "./runner.js";
import { endServer, spawnServer, waitUntilReady } from "./server.js";
import { stopStaleServer } from "./stale-server.js";

/** Where the data is, and how the server runs. */
export interface DevPostgresOptions {
  /** The folder of the cluster, which is created if it does not exist. A folder can have one running server. */
  dir: string;
  /** 0 chooses a free port. @default 0 */
  port?: number;
  /** False makes writes faster but loses data in a crash; use it only in tests. @default true */
  durable?: boolean;
  /** Cancels the start: all processes are stopped, and the promise rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** A running PostgreSQL. */
export interface DevPostgres {
  /** The connection string. It contains the password, so do not print it. */
  url: string;
  port: number;
  /** Resolves when the server has ended, by itself or by `stop`. */
  ended: Promise<void>;
  /** Stops the server. A second call has no effect. */
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL server on 127.0.0.1 with its data in a folder, and creates the cluster on the first start. A server that
 * an earlier, killed parent left running in the folder is stopped first.
 *
 * @throws {Error} if this platform has no binaries, if root cannot run them as another user, or if the server is not ready
 * within a minute. The message says what to do.
 */
export async function startPostgres(options: DevPostgresOptions): Promise<DevPostgres> {
  const { signal } = options;
  const dir = resolve(options.dir);
  const binaries = await findBinaries();
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const runner = await chooseRunner(binaries, dir);
  const cluster = await ensureCluster(dir, { binaries, runner, signal });
  /** Stops the server that postmaster.pid names. */
  const stopByPidFile = () =>
    runner.run(binaries.pgCtl, ["stop", "-D", cluster.dataDir, "-m", "fast", "-t", "20"]);
  const unrelatedPid = await stopStaleServer(cluster.dataDir, stopByPidFile);
  signal?.throwIfAborted();

  const port = options.port || (await freePort());
  const flags = Object.entries(settingsOf(options)).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = await spawnServer(
    runner.wrap(binaries.postgres, ["-D", cluster.dataDir, "-p", `${port}`, ...flags]),
    { dataDir: cluster.dataDir, logFile: join(dir, "postgres.log"), unrelatedPid },
  );
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= endServer(server, stopByPidFile));
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
