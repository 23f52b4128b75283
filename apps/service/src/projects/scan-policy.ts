import type { ScanSetting } from "@stowage/operator-schemas";
import type { Queries } from "#db/client.js";

/** What a project decided about virus scans. */
export interface ScanPolicy {
  scan: ScanSetting;
  /** Whether files can be downloaded that the scanner cannot look into. */
  allowUnscannable: boolean;
}

const READ = `select scan, allow_unscannable as "allowUnscannable" from projects where id = $1`;

/** A deleted project scans nothing. @throws {StowageError} `unavailable` */
export async function readScanPolicy(deps: { db: Queries }, projectId: number): Promise<ScanPolicy> {
  const [policy] = await deps.db.execute<ScanPolicy>(READ, [projectId]);
  return policy ?? { scan: "off", allowUnscannable: false };
}
