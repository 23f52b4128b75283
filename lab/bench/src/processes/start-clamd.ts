import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@stowage/dev-postgres";
import type { RowTools } from "../row.js";
import { makeFolder } from "./make-file.js";
import { pinned } from "./pinning.js";

const START_MS = 60_000;

/**
 * Starts Debian's clamd (`apt-get install clamav-daemon`) on all cores, with one signature that no file has, so that it needs no download.
 * It ends with the row.
 *
 * @returns its port on 127.0.0.1
 */
export async function startClamd(tools: Pick<RowTools, "atEnd">): Promise<number> {
  const [dir, port] = [await makeFolder(tools), await freePort()];
  await writeFile(
    join(dir, "bench.ndb"),
    `Bench:0:0:${Buffer.from("no file has this text").toString("hex")}\n`,
  );
  const settings = {
    Foreground: "yes",
    DatabaseDirectory: dir,
    TemporaryDirectory: dir,
    TCPAddr: "127.0.0.1",
    TCPSocket: port,
    StreamMaxLength: "200M",
    MaxFileSize: "200M",
    MaxScanSize: "400M",
    AlertExceedsMax: "yes",
    // Otherwise clamd scans the same bytes only once.
    DisableCache: "yes",
  };
  const config = join(dir, "clamd.conf");
  await writeFile(
    config,
    Object.entries(settings)
      .map(([name, value]) => `${name} ${value}\n`)
      .join(""),
  );
  const [command, args] = pinned("anywhere", ["clamd", "--config-file", config]);
  const clamd = spawn(command, args, {
    // Debian installs it where only root looks for programs.
    env: { PATH: `${process.env["PATH"]}:/usr/sbin` },
    stdio: "ignore",
  });
  const ended = once(clamd, "exit");
  tools.atEnd(async () => {
    clamd.kill("SIGKILL");
    await ended;
  });
  const deadline = performance.now() + START_MS;
  while (!(await accepts(port))) {
    if (clamd.exitCode !== null || performance.now() > deadline) throw new Error("clamd did not start");
    await sleep(100);
  }
  return port;
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
