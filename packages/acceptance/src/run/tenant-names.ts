import { randomBytes } from "node:crypto";

const PREFIX = "stowage-verify-";
/** The time of the run's start and its random part. */
const PATTERN = /^stowage-verify-(\d{13})-[0-9a-f]{12}/;

/** The tenants of one run. No customer has such an ID, so the run may delete them. */
export interface TenantNames {
  /** The tenant that most cases share. */
  shared: string;
  /** @param suffix characters at the end of the new tenant's ID */
  next(suffix?: string): string;
  /** Every tenant that the run has named until now. */
  all(): string[];
  /** A part that the IDs of this run have and no other. */
  common: string;
}

export function createTenantNames(now: number): TenantNames {
  const common = `${PREFIX}${now}-${randomBytes(6).toString("hex")}`;
  const names = [common];
  return {
    common,
    shared: common,
    next(suffix = "") {
      const name = `${common}-${names.length}${suffix}`;
      names.push(name);
      return name;
    },
    all: () => [...names],
  };
}

/** The search text that finds the tenants of all runs. */
export const TENANTS_OF_RUNS = PREFIX;

/** When the run of this tenant started. Null for a tenant of no run. */
export function startOfRun(tenantId: string): number | null {
  const [, time] = PATTERN.exec(tenantId) ?? [];
  return time === undefined ? null : Number(time);
}
