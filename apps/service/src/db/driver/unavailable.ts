import { StowageError } from "@stowage/schemas";
import { ConnectionError } from "./connection-error.js";

/** Codes of postgres.js and of Node's sockets for a missing or lost connection. */
const CONNECTION_CODES = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "CONNECTION_ENDED",
  "CONNECT_TIMEOUT",
  "EADDRNOTAVAIL",
  "EAI_AGAIN",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "EMFILE",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
]);

/**
 * SQLSTATEs of a database that cannot serve at the moment (PostgreSQL documentation, appendix A): lost connections, too many
 * connections, shutdown or start, statement timeout, read-only after a failover, deadlock; and a refused login, for example while
 * the password is being changed.
 */
const SQLSTATE = /^(08...|28...|3D000|3F000|53[0-9]..|57P0[1-5]|57014|55P03|25006|40001|40P01)$/;

const MAX_DEPTH = 5;

/** Whether a later retry may succeed. */
export function isUnavailable(error: unknown): boolean {
  return withCauses(error).some((each) => {
    const code = codeOf(each);
    const isKnown = CONNECTION_CODES.has(code) || SQLSTATE.test(code) || hasCitusLostNode(code, each);
    return each instanceof ConnectionError || isKnown;
  });
}

/** Whether a statement ended without an effect, because it waited for a lock for longer than its `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return findErrorCode(error) === "55P03";
}

/** Finds the SQLSTATE of a database error, or the code of a connection error. */
export function findErrorCode(error: unknown): string | undefined {
  return withCauses(error).map(codeOf).find(Boolean);
}

/** The error and its causes: drizzle and the service wrap the errors of the driver. */
function withCauses(error: unknown): Error[] {
  const errors: Error[] = [];
  for (let each = error; each instanceof Error && errors.length < MAX_DEPTH; each = each.cause)
    errors.push(each);
  return errors;
}

/** @returns "" if the error has none. The code of the service's own error is not the database's. */
function codeOf(error: Error): string {
  const isOwnError = error instanceof StowageError;
  return !isOwnError && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** Citus reports a node that it lost in a transaction over several nodes as an internal error. Only the message tells it apart. */
function hasCitusLostNode(code: string, error: Error): boolean {
  return code === "XX000" && error.message.startsWith("failure on connection marked as essential");
}
