import type { ConnectionTarget } from "./connection-url.js";

/** The part of a target that error messages name. */
export type ConnectionNames = Pick<ConnectionTarget, "host" | "port" | "user" | "database">;

/**
 * PostgreSQL cannot be reached, or refuses or ends the connection. The message is one sentence for the operator: it names host,
 * user, database and cause. It contains no password, but must not reach the public.
 */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  /** The SQLSTATE, or the code of Node or of the driver. */
  readonly code: string;

  constructor(message: string, code: string, cause: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

const MAX_CAUSES = 6;

/** Finds the failure of a connection in the error or its causes. @returns undefined for the failure of a statement */
export function connectionErrorOf(error: unknown, names: ConnectionNames): ConnectionError | undefined {
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth++, cause = cause.cause) {
    if (cause instanceof ConnectionError) return cause;
    const code = codeOf(cause);
    // PostgreSQL ends the connection after an error of this severity.
    const isFatal = "severity" in cause && cause.severity === "FATAL";
    if (isFatal || DRIVER_CODES.has(code)) {
      return describe(
        ENDS_A_CONNECTION.has(code) ? "Lost the connection to" : "Cannot connect to",
        cause,
        names,
      );
    }
  }
  return undefined;
}

/** Makes the error for a connection that could not be opened. */
export function failedToConnect(cause: Error, names: ConnectionNames): ConnectionError {
  return describe("Cannot connect to", cause, names);
}

function describe(action: string, cause: Error, names: ConnectionNames): ConnectionError {
  const code = codeOf(cause);
  const server = names.host.startsWith("/") ? names.host : `${bracketed(names.host)}:${names.port}`;
  const user = names.user === undefined ? "" : ` as ${names.user}`;
  const reason = REASONS[code]?.(names) ?? `${firstLine(cause.message)} (${code})`;
  const database = names.database === undefined || code === "3D000" ? "" : ` (database ${names.database})`;
  return new ConnectionError(`${action} PostgreSQL at ${server}${user}: ${reason}${database}.`, code, cause);
}

type Reason = (names: ConnectionNames) => string;

const untrusted: Reason = () =>
  "the server's certificate is not signed by a trusted authority; sslrootcert names the file of another authority";

/** Reasons for the codes that occur most often (PostgreSQL documentation, appendix A). */
const REASONS: Record<string, Reason> = {
  // Node's sockets
  EAI_AGAIN: () => "the name server does not answer",
  ECONNREFUSED: () => "connection refused",
  ECONNRESET: () => "the server closed the connection",
  EHOSTUNREACH: () => "the host cannot be reached",
  ENETUNREACH: () => "the network cannot be reached",
  ENOENT: () => "there is no Unix socket in this folder",
  ENOTFOUND: () => "the host name was not found",
  EPIPE: () => "the server closed the connection",
  ETIMEDOUT: () => "the server did not answer in time",
  // the driver and the dialer
  CONNECTION_CLOSED: () => "the server closed the connection",
  // A pool is closed in use only after a query has exceeded its time limit.
  CONNECTION_DESTROYED: () => "the server did not answer in time",
  CONNECT_TIMEOUT: () => "the server did not answer in time",
  NOT_POSTGRESQL: () => "another kind of server answers there",
  SASL_SIGNATURE_MISMATCH: () => "the server does not know the user's password, so it may be another server",
  TLS_NOT_SUPPORTED: () => "the server does not support TLS, which sslmode requires",
  // TLS
  CERT_HAS_EXPIRED: () => "the server's certificate has expired",
  CERT_NOT_YET_VALID: () => "the server's certificate is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  CERT_SIGNATURE_FAILURE: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: ({ host }) =>
    `the server's certificate is for another host name than ${host}`,
  // PostgreSQL
  "28P01": () => "password authentication failed",
  "3D000": ({ database }) => `the database ${database ?? "of this user"} does not exist`,
  "42501": () => "the user lacks the privilege CONNECT",
  "53300": () => "too many connections",
  "57P01": () => "the server is shutting down, or an administrator ended the connection",
  "57P02": () => "the server has crashed",
  "57P03": () => "the server is starting up or shutting down",
};

/** The driver's and Node's codes for a connection that fails after it was dialled. */
const DRIVER_CODES = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "SASL_SIGNATURE_MISMATCH",
]);

/** Codes of connections that had been working. */
const ENDS_A_CONNECTION = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "57P01",
  "57P02",
  "57P05",
  "25P03",
]);

const MAX_CHARACTERS = 200;

function firstLine(message: string): string {
  return message.split("\n")[0]!.slice(0, MAX_CHARACTERS).replace(/\.$/, "");
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
