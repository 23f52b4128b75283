import { Socket } from "node:net";
import { limitWorkingTime } from "#lib/working-time.js";
import postgres, { type Options, type PostgresType, type Sql } from "postgres";
import { type ConnectionError, connectionErrorOf, failedToConnect } from "./connection-error.js";
import { parseConnectionUrl } from "./connection-url.js";
import { dial, type Login } from "./dial.js";
import { keepReadsFresh } from "./fresh-reads.js";
import type { ReadPassword } from "./password-source.js";

/** A client of postgres.js for a connection URL. */
export interface Driver {
  sql: Sql;
  /** Finds the failure of a connection in an error of `sql` or its causes. @returns undefined for the failure of a statement */
  connectionErrorOf(error: unknown): ConnectionError | undefined;
}

export interface DriverOptions extends Omit<Options<Record<string, PostgresType>>, "connect_timeout"> {
  /** The time limit for opening a connection, unless the URL has a shorter one. */
  connectTimeoutMs: number;
  /** Gets the password of each new connection. @default that of the URL */
  readPassword?: ReadPassword | undefined;
}

/**
 * Opens a client of postgres.js, which connects on first use. The connections are dialled here (see dial.ts), because the driver's
 * own TLS does not follow libpq.
 *
 * @throws {ConnectionUrlError} for a URL that cannot be used; the settings have been checked before
 */
export function openDriver(
  url: string,
  { connectTimeoutMs, readPassword, ...options }: DriverOptions,
): Driver {
  const target = parseConnectionUrl(url);
  const passwords = readPassword && rememberPassword(readPassword);
  const timeoutMs = Math.min(connectTimeoutMs, target.connectTimeoutMs ?? connectTimeoutMs);
  const dialing = new Set<AbortController>();

  /** Never rejects: postgres.js would never use a connection again whose `socket` has rejected once. */
  async function openSocket({ user, database }: Login): Promise<Socket> {
    const controller = new AbortController();
    const abort = (code: string) => controller.abort(Object.assign(new Error(code), { code }));
    const limit = limitWorkingTime(timeoutMs, () => abort("CONNECT_TIMEOUT"));
    dialing.add(controller);
    // Meanwhile, because a cancel request needs no password, and must not wait for one.
    const reading = passwords?.read();
    try {
      const socket = await dial(target, { user, database }, controller.signal);
      const fail = (error: Error) => socket.destroy(failedToConnect(error, { ...target, user, database }));
      reading?.catch((error: Error) => setImmediate(fail, error));
      return socket;
    } catch (error) {
      const cause = controller.signal.aborted ? (controller.signal.reason as Error) : (error as Error);
      return failedSocket(failedToConnect(cause, { ...target, user, database }));
    } finally {
      limit.clear();
      dialing.delete(controller);
    }
  }

  const sql = postgres({
    ...options,
    host: target.host,
    port: target.port,
    ...(target.user === undefined ? {} : { user: target.user }),
    ...(target.password === undefined ? {} : { password: target.password }),
    ...(passwords === undefined ? {} : { password: passwords.newest }),
    ...(target.database === undefined ? {} : { database: target.database }),
    ssl: false,
    // Else the driver asks each new connection for the types of arrays, which no statement here uses. If that connection breaks, no
    // caller gets the error, and it ends the process.
    fetch_types: false,
    connect_timeout: Math.ceil(timeoutMs / 1000),
    connection: {
      ...options.connection,
      ...(target.applicationName === undefined ? {} : { application_name: target.applicationName }),
      ...(target.options === undefined ? {} : { options: target.options }),
    },
    // The published types lack this option: https://github.com/porsager/postgres#connection-details
    ...({ socket: openSocket } as object),
  });
  keepReadsFresh(sql);
  const end = sql.end.bind(sql);
  sql.end = async (how) => {
    await end(how);
    // The driver does not know of connections that are still being dialled, and would use them when they are open.
    for (const controller of dialing)
      controller.abort(Object.assign(new Error("the pool was closed"), { code: "CONNECTION_DESTROYED" }));
  };
  const names = { ...target, user: sql.options.user, database: sql.options.database };
  return { sql, connectionErrorOf: (error) => connectionErrorOf(error, names) };
}

/**
 * The driver asks for the password when the server does, and does not say for which connection. It gets the newest one. It cannot handle
 * an error there, so after a failed reading it gets the last password, and the connection that the reading was for is destroyed.
 */
function rememberPassword(readPassword: ReadPassword) {
  let known = "";
  let reading: Promise<string> = Promise.resolve(known);
  return {
    read: () => {
      reading = readPassword();
      reading.then(
        (password) => (known = password),
        () => undefined,
      );
      return reading;
    },
    newest: () => reading.catch(() => known),
  };
}

/** A socket that fails as soon as the driver listens to it. */
function failedSocket(error: Error): Socket {
  const socket = new Socket();
  setImmediate(() => socket.destroy(error));
  return socket;
}
