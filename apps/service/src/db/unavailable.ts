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

/** Whether a later retry may succeed. Also searches the causes of the error, because drizzle wraps it. */
export function isUnavailable(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < MAX_DEPTH && current instanceof Error; depth++) {
    if (current instanceof ConnectionError) return true;
    const code = "code" in current && typeof current.code === "string" ? current.code : "";
    if (CONNECTION_CODES.has(code) || SQLSTATE.test(code)) return true;
    current = current.cause;
  }
  return false;
}
