/** What of the audit log lives in its address. */
export interface AuditSearch {
  cursor?: string;
}

/** Whatever else an address says is left out. */
export function readAuditSearch({ cursor }: Record<string, unknown>): AuditSearch {
  return typeof cursor === "string" ? { cursor } : {};
}
