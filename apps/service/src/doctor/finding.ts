/**
 * What one probe found. `ok`; `info`: worth knowing, nothing to do; `warn`: uploads work, and something is less safe or less
 * exact than it could be; `fail`: uploads do not work.
 */
export interface Finding {
  name: string;
  verdict: "ok" | "info" | "warn" | "fail";
  found: string;
  /** Null when there is nothing to do. */
  whatToDo: string | null;
}

/** A finding before the name of its probe is put to it. */
export type Observation = Omit<Finding, "name">;
