import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { aClamd, EICAR } from "@stowage/service/test/fixtures/a-clamd.js";
import { aClamdServer } from "@stowage/service/test/fixtures/a-clamd-protocol.js";
import { anOutageProxy, type OutageProxy } from "@stowage/service/test/fixtures/an-outage-proxy.js";
import { CLI } from "./command-line.js";
import { writeStorages } from "./storages.js";
import { preloadOf, type ReplicaSample } from "./replica-preload.js";
import { CALL_TIMEOUT_MS, type ReplicasOptions, sampleOf } from "./replicas.js";

/** A process of `stowage worker`. It reaches the database and storage through proxies of its own. */
export interface SoakWorker {
  database: OutageProxy;
  storage: OutageProxy;
  kill(): Promise<void>;
  sample(): Promise<ReplicaSample | null>;
}

export interface Workers {
  running(): SoakWorker[];
  /** It is never killed, and its clock is right. */
  steady: SoakWorker;
  /** Kills the other one, and starts it again with another clock. */
  restart(clockAheadMs: number): Promise<void>;
  scanner: OutageProxy;
  /** The lines of their logs that are errors. */
  errors(): string[];
  close(): Promise<void>;
}

/** Starts two workers, and Debian's clamd or else a server that answers as it does. */
export async function startWorkers(options: Omit<ReplicasOptions, "leakBytes">): Promise<Workers> {
  const clamd = existsSync("/usr/sbin/clamd") ? await aClamd() : await aClamdOfSignature();
  const scanner = await anOutageProxy(clamd.url);
  const errors: string[] = [];
  let starts = 0;

  async function start(clockAheadMs: number): Promise<SoakWorker> {
    const database = await anOutageProxy(options.databaseUrl);
    const storage = await anOutageProxy(options.storageUrl);
    const sampleFile = join(options.dir, `worker-${starts++}.json`);
    const storagesFile = join(options.dir, `worker-${starts}-storages.json`);
    await writeStorages(storagesFile, storage.url);
    const env = {
      PATH: process.env["PATH"],
      ...options.settings,
      DATABASE_URL: database.url,
      DATABASE_TIMEOUT_MS: String(CALL_TIMEOUT_MS),
      STORAGES_FILE: storagesFile,
      S3_TIMEOUT_MS: String(CALL_TIMEOUT_MS),
      CLAMAV_URL: scanner.url,
      NODE_OPTIONS: preloadOf({ clockAheadMs, sampleFile }),
    };
    const child = spawn(process.execPath, [CLI, "worker"], {
      env,
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    createInterface(child.stdout!).on("line", (line) => {
      if (/^\{"level":[56]0/.test(line)) errors.push(line);
    });
    const exit = once(child, "close");
    return {
      database,
      storage,
      sample: () => sampleOf(child, sampleFile),
      async kill() {
        child.kill("SIGKILL");
        await exit;
        await Promise.all([database.close(), storage.close()]);
      },
    };
  }

  const steady = await start(0);
  let other = await start(0);
  return {
    steady,
    running: () => [steady, other],
    async restart(clockAheadMs) {
      await other.kill();
      other = await start(clockAheadMs);
    },
    scanner,
    errors: () => errors,
    async close() {
      await Promise.all([steady.kill(), other.kill()]);
      await scanner.close();
      await clamd.close();
    },
  };
}

const aClamdOfSignature = () =>
  aClamdServer(({ command, chunks, isComplete }) => {
    if (command === "zPING") return "PONG\0";
    if (!isComplete) return undefined;
    return Buffer.concat(chunks).includes(EICAR) ? "stream: Eicar-Test FOUND\0" : "stream: OK\0";
  });
