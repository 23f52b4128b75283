import { parseTlsParameters, readTlsFiles, TlsFileError, type TlsSettings } from "./tls-settings.js";

/** The server and the database that a connection URL names. */
export interface ConnectionTarget {
  /** A host name, an IP address without brackets, or the folder of a Unix socket, which starts with a slash. */
  host: string;
  port: number;
  /** Undefined: the driver's default, which is PGUSER or the user of this process. */
  user: string | undefined;
  password: string | undefined;
  /** Undefined: the driver's default, which is PGDATABASE or the user's name. */
  database: string | undefined;
  applicationName: string | undefined;
  /** Settings for the server (`-c name=value`), sent when the connection starts. */
  options: string | undefined;
  connectTimeoutMs: number | undefined;
  tls: TlsSettings;
}

/** A connection URL that cannot be used. The message follows "The setting DATABASE_URL" and contains no value of the URL. */
class ConnectionUrlError extends Error {
  override readonly name = "ConnectionUrlError";
}

/** The parameters of a connection URL: libpq's (PostgreSQL documentation, 34.1.2), and those that are refused with a reason. */
const KNOWN_PARAMETERS = new Set([
  "application_name",
  "channel_binding",
  "connect_timeout",
  "gssencmode",
  "host",
  "options",
  "sslcert",
  "sslkey",
  "sslmode",
  "sslnegotiation",
  "sslrootcert",
  "target_session_attrs",
]);

const DEFAULT_PORT = 5432;

/**
 * Parses `postgres://user:password@host:port/database?parameter=value`. Reads no file.
 *
 * @throws {ConnectionUrlError} for a part that cannot be used
 */
export function parseConnectionUrl(text: string): ConnectionTarget {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // An unescaped "/", "?" or "#" ends the password early. Then the rest, with the "@" in front of the host, is in these parts. They
  // must not reach a message.
  if (!url || url.hash !== "" || `${url.pathname}${url.search}`.includes("@")) {
    throw new ConnectionUrlError("must be a URL; percent-encode special characters in its password");
  }
  const parameters = readParameters(url.searchParams);
  const folder = parameters.get("host");
  if (folder !== undefined && !folder.startsWith("/")) {
    throw new ConnectionUrlError("has a host parameter that is not the folder of a Unix socket");
  }
  const host = folder ?? (decode(url.hostname).replace(/^\[(.*)\]$/, "$1") || "localhost");
  if (host.includes(",")) {
    throw new ConnectionUrlError(
      "must name one host; several hosts need a proxy in front of them, such as HAProxy",
    );
  }
  refuseUnsupported(parameters);
  return {
    host,
    port: Number(url.port || DEFAULT_PORT),
    user: decode(url.username) || undefined,
    password: decode(url.password) || undefined,
    database: decode(url.pathname.slice(1)) || undefined,
    applicationName: parameters.get("application_name"),
    options: parameters.get("options"),
    connectTimeoutMs: readConnectTimeout(parameters.get("connect_timeout")),
    tls: parseTlsParameters(parameters, (message) => new ConnectionUrlError(message)),
  };
}

/** Checks a connection URL and the files that it names. @returns what is wrong, to be said behind the name of the setting */
export function connectionUrlProblem(text: string): string | undefined {
  try {
    readTlsFiles(parseConnectionUrl(text).tls);
    return undefined;
  } catch (error) {
    if (error instanceof ConnectionUrlError) return error.message;
    if (error instanceof TlsFileError) return `cannot be used: ${error.message}`;
    throw error;
  }
}

/** @throws {ConnectionUrlError} for an unknown or empty parameter */
function readParameters(searchParams: URLSearchParams): Map<string, string> {
  const parameters = new Map(searchParams);
  for (const [name, value] of parameters) {
    if (!KNOWN_PARAMETERS.has(name)) {
      const isName = /^[a-z][a-z0-9_.-]{0,40}$/i.test(name);
      const known = [...KNOWN_PARAMETERS].join(", ");
      throw new ConnectionUrlError(
        `has an unknown parameter${isName ? ` ${name}` : ""}; the known ones are ${known}`,
      );
    }
    if (value === "") throw new ConnectionUrlError(`has an empty parameter ${name}`);
  }
  return parameters;
}

/** @throws {ConnectionUrlError} for a parameter that asks for something that the driver cannot do */
function refuseUnsupported(parameters: Map<string, string>): void {
  const channelBinding = parameters.get("channel_binding") ?? "prefer";
  if (channelBinding === "require") {
    throw new ConnectionUrlError(
      "has channel_binding=require, which Stowage does not support; use sslmode=verify-full, which protects against the same attack, and channel_binding=prefer",
    );
  }
  assertOneOf("channel_binding", channelBinding, ["disable", "prefer"]);
  assertOneOf("gssencmode", parameters.get("gssencmode") ?? "prefer", ["disable", "prefer"]);
  assertOneOf("target_session_attrs", parameters.get("target_session_attrs") ?? "any", ["any"]);
}

function assertOneOf(name: string, value: string, allowed: string[]): void {
  if (!allowed.includes(value))
    throw new ConnectionUrlError(`has a ${name} other than ${allowed.join(" or ")}`);
}

function readConnectTimeout(seconds: string | undefined): number | undefined {
  if (seconds === undefined) return undefined;
  if (!/^[1-9]\d{0,3}$/.test(seconds)) {
    throw new ConnectionUrlError("has a connect_timeout that is not a number of seconds from 1 to 9999");
  }
  return Number(seconds) * 1000;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new ConnectionUrlError("must be a URL; percent-encode special characters in its password");
  }
}
