import { StowageError } from "@stowage/schemas";

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
  const code = findErrorCode(error);
  return code !== undefined && (CONNECTION_CODES.has(code) || SQLSTATE.test(code));
}

/**
 * Finds the SQLSTATE of a database error, or the code of a connection error. Searches the causes too, because drizzle and the
 * service wrap errors.
 */
export function findErrorCode(error: unknown): string | undefined {
  let current = error;
  for (let depth = 0; depth < MAX_DEPTH && current instanceof Error; depth++) {
    const isOwnError = current instanceof StowageError;
    if (!isOwnError && "code" in current && typeof current.code === "string") return current.code;
    current = current.cause;
  }
  return undefined;
}
