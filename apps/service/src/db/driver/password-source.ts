import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { type ConnectionTarget, parseConnectionUrl } from "./connection-url.js";

/** Where the password of new connections comes from, if it is not part of the URL. */
export type PasswordSource = { file: string } | { command: string };

/** Gets the password for a new connection. @throws {PasswordError} */
export type ReadPassword = () => Promise<string>;

/** No password. The message names the setting and the reason, and nothing that the file or the command contain. */
class PasswordError extends Error {
  override readonly name = "PasswordError";
  readonly code = "NO_PASSWORD";
}

const FILE = "DATABASE_PASSWORD_FILE";
const COMMAND = "DATABASE_PASSWORD_COMMAND";
const MAX_BYTES = 64 * 1024;

/**
 * Returns a function that gets the password for a new connection: it reads the file or runs the command again. Connections that are opened
 * while a command runs share its answer, so a pool that opens all its connections starts one process.
 *
 * @param options.url the connection's. The command learns its parts as `PGHOST`, `PGPORT`, `PGUSER` and `PGDATABASE`
 * @param options.timeoutMs after which a command is killed
 */
export function openPasswordSource(
  source: PasswordSource,
  { url, timeoutMs }: { url: string; timeoutMs: number },
): ReadPassword {
  if ("file" in source) return () => readPasswordFile(source.file);
  const options = { target: parseConnectionUrl(url), timeoutMs };
  let running: Promise<string> | undefined;
  return () => (running ??= run(source.command, options).finally(() => (running = undefined)));
}

/** Checks a file at the start. @returns what is wrong, to be said behind the name of the setting */
export function passwordFileProblem(file: string): string | undefined {
  try {
    toPassword(readFileSync(file), FILE);
    return undefined;
  } catch (error) {
    return describeFileError(error).message.slice(FILE.length + 1);
  }
}

async function readPasswordFile(file: string): Promise<string> {
  try {
    return toPassword(await readFile(file), FILE);
  } catch (error) {
    throw describeFileError(error);
  }
}

function describeFileError(error: unknown): PasswordError {
  if (error instanceof PasswordError) return error;
  return new PasswordError(`${FILE} cannot be read (${(error as NodeJS.ErrnoException).code})`);
}

/** @throws {PasswordError} */
function run(
  command: string,
  { target, timeoutMs }: { target: ConnectionTarget; timeoutMs: number },
): Promise<string> {
  const hasGroups = process.platform !== "win32";
  const child = spawn(command, {
    shell: true,
    // A group of its own, so that a command that takes too long is killed with all that it started.
    detached: hasGroups,
    // What it writes to stderr could contain a secret.
    stdio: ["ignore", "pipe", "ignore"],
    // oxlint-disable-next-line node/no-process-env -- The command needs this process's variables, such as the platform's credentials.
    env: { ...process.env, ...toVariables(target) },
  });
  const kill = () => {
    try {
      if (hasGroups && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      else child.kill("SIGKILL");
    } catch {
      // It has ended.
    }
  };
  return new Promise<string>((resolve, reject) => {
    const fail = (reason: string) => {
      clearTimeout(timer);
      kill();
      child.stdout.destroy();
      reject(new PasswordError(`${COMMAND} ${reason}`));
    };
    const timer = setTimeout(() => fail(`took longer than ${timeoutMs} ms`), timeoutMs);
    const chunks: Buffer[] = [];
    let bytes = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > MAX_BYTES) fail("printed more than a password");
    });
    child.once("error", () => fail("cannot be run"));
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      if (code !== 0) return fail(code === null ? `was ended by ${signal}` : `exited with ${code}`);
      try {
        resolve(toPassword(Buffer.concat(chunks), COMMAND));
      } catch (error) {
        reject(error as PasswordError);
      }
    });
  });
}

function toVariables({ host, port, user, database }: ConnectionTarget): Record<string, string> {
  return {
    PGHOST: host,
    PGPORT: String(port),
    ...(user !== undefined && { PGUSER: user }),
    ...(database !== undefined && { PGDATABASE: database }),
  };
}

/** Removes the end of the line. A longer text, such as an error that was printed, would not be a password. */
function toPassword(bytes: Buffer, name: string): string {
  const text = bytes.toString("utf8").replace(/[\r\n]+$/, "");
  if (text === "") throw new PasswordError(`${name} gives no password`);
  if (bytes.length > MAX_BYTES || /[\r\n\0]/.test(text))
    throw new PasswordError(`${name} gives more than one line`);
  return text;
}
