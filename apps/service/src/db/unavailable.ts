/** What postgres.js and the sockets below it call a connection that is not there. */
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
 * SQLSTATEs of a database that cannot serve anyone just now (PostgreSQL documentation, appendix A): lost connections,
 * too many of them, shutting down or starting up, a statement over its time, a replica that was promoted from under us; and
 * one that does not let us in, as while its password is being changed.
 */
const SQLSTATE = /^(08...|28...|3D000|3F000|53[0-9]..|57P0[1-5]|57014|55P03|25006|40001|40P01)$/;

/** Whether waiting and asking again is the answer to this error. Looks through the causes that drizzle wraps around it. */
export function isUnavailable(error: unknown): boolean {
  for (let depth = 0, at = error; depth < 5 && at instanceof Error; depth++, at = at.cause) {
    const code = "code" in at && typeof at.code === "string" ? at.code : "";
    if (CONNECTION_CODES.has(code) || SQLSTATE.test(code)) return true;
  }
  return false;
}
