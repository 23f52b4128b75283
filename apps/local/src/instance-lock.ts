import { createHash } from "node:crypto";
import { once } from "node:events";
import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { LocalError } from "./settings.js";

const PID_TIMEOUT_MS = 1000;
/** Not in Node's constants: open(2) of macOS and the BSDs takes an exclusive lock with this flag. */
const O_EXLOCK = 0x20;

/**
 * Locks a folder for this process. The kernel releases the lock when the process ends, so a crashed process cannot block
 * the next start, and two processes can never hold the lock at the same time.
 *
 * @returns a function that releases the lock
 * @throws {LocalError} if another process holds the lock
 */
export async function acquireInstanceLock(folder: string): Promise<() => Promise<void>> {
  if (process.platform === "linux" || process.platform === "win32") {
    return lockSocket(await socketAddress(folder));
  }
  return lockFile(join(folder, "running.lock"));
}

/** Linux abstract sockets and Windows pipes have no file: they disappear together with their process. */
async function socketAddress(folder: string): Promise<string> {
  const hash = createHash("sha256")
    .update(await realpath(folder))
    .digest("hex")
    .slice(0, 32);
  return process.platform === "win32" ? `\\\\.\\pipe\\stowage-${hash}` : `\0stowage-${hash}`;
}

async function lockSocket(address: string): Promise<() => Promise<void>> {
  // A second process connects to learn our process ID. The socket is destroyed so that it cannot delay our own exit.
  const server = createServer((socket) => {
    socket.on("error", () => undefined).end(String(process.pid), () => socket.destroy());
  });
  try {
    server.listen(address);
    await once(server, "listening");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    throw alreadyRunning(await readHolderPid(address));
  }
  server.unref();
  return async () => {
    server.close();
    await once(server, "close");
  };
}

/** @returns undefined if the process that holds the lock does not answer, because it is ending or suspended */
async function readHolderPid(address: string): Promise<number | undefined> {
  const socket = connect(address);
  const timer = setTimeout(() => socket.destroy(new Error("timeout")), PID_TIMEOUT_MS);
  const pid = Number(await text(socket).catch(() => ""));
  clearTimeout(timer);
  return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
}

async function lockFile(path: string): Promise<() => Promise<void>> {
  try {
    const file = await open(
      path,
      // With O_NONBLOCK the call fails immediately, instead of waiting, if another process holds the lock.
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
  const holder = pid === undefined ? "" : ` (process ${pid})`;
  return new LocalError(
    `Stowage is already running with this data folder${holder}. Stop it first, or set STOWAGE_DATA_DIR to another folder.`,
  );
}
