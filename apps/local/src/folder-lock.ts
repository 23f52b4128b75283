import { createHash } from "node:crypto";
import { once } from "node:events";
import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { LocalError } from "./settings.js";

const ANSWER_MS = 1000;
/** Not among Node's constants: open(2) of macOS and the BSDs takes a lock with it, at once or (O_NONBLOCK) not at all. */
const O_EXLOCK = 0x20;

/**
 * Takes a folder for this process alone. What is held dies with the process, so nothing that an earlier one left behind
 * can refuse a start, and no two can take it at once: the kernel decides.
 *
 * @returns what lets another have it
 * @throws {LocalError} when another process has it
 */
export async function lockFolder(path: string): Promise<() => Promise<void>> {
  if (process.platform === "linux" || process.platform === "win32") return listenAt(await addressOf(path));
  return lockFile(join(path, "running.lock"));
}

/** A name without a file: Linux's abstract sockets and Windows' pipes are gone when their process is. */
async function addressOf(path: string): Promise<string> {
  const hash = createHash("sha256")
    .update(await realpath(path))
    .digest("hex")
    .slice(0, 32);
  return process.platform === "win32" ? `\\\\.\\pipe\\stowage-${hash}` : `\0stowage-${hash}`;
}

async function listenAt(address: string): Promise<() => Promise<void>> {
  // Whoever comes second is told whom to end, and cannot hold up our own end by staying connected.
  const server = createServer((socket) => {
    socket.on("error", () => undefined).end(String(process.pid), () => socket.destroy());
  });
  try {
    server.listen(address);
    await once(server, "listening");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    throw alreadyRunning(await askHolder(address));
  }
  server.unref();
  return async () => {
    server.close();
    await once(server, "close");
  };
}

/** @returns undefined when it does not answer: it is ending, or paused */
async function askHolder(address: string): Promise<number | undefined> {
  const socket = connect(address);
  const timer = setTimeout(() => socket.destroy(new Error("no answer")), ANSWER_MS);
  const pid = Number(await text(socket).catch(() => ""));
  clearTimeout(timer);
  return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
}

async function lockFile(path: string): Promise<() => Promise<void>> {
  try {
    const file = await open(
      path,
      constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | O_EXLOCK,
      0o600,
    );
    return () => file.close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    throw alreadyRunning(undefined);
  }
}

function alreadyRunning(pid: number | undefined): LocalError {
  return new LocalError(
    `Stowage is already running on this data folder${pid ? `, as process ${pid}` : ""}: end it first, or set STOWAGE_DATA_DIR.`,
  );
}
