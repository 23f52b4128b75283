import type { QuotaSource } from "@stowage/schemas";
import { projects, tenants } from "#db/schema/index.js";
import { quotaInForce } from "./quota-in-force.js";

/** A tenant as every verb answers it: the contract's Tenant, in camelCase. */
export interface TenantRecord {
  tenantId: string;
  usedBytes: number;
  reservedBytes: number;
  fileCount: number;
  quotaBytes: number | null;
  quotaSource: QuotaSource | null;
  createdAt: string;
}

/** The columns that make a {@link TenantRecord}, for a select from `tenants` joined with its project. */
export const tenantColumns = {
  tenantId: tenants.tenantId,
  usedBytes: tenants.usedBytes,
  reservedBytes: tenants.reservedBytes,
  fileCount: tenants.fileCount,
  ownQuota: tenants.quotaBytes,
  projectQuota: projects.defaultQuotaBytes,
  createdAt: tenants.createdAt,
};

interface Selected {
  tenantId: string;
  usedBytes: number;
  reservedBytes: number;
  fileCount: number;
  ownQuota: number | null;
  projectQuota: number | null;
  createdAt: Date;
}

/** @param defaultQuotaBytes the service's own */
export function toTenantRecord(row: Selected, defaultQuotaBytes: number | null): TenantRecord {
  const { ownQuota, projectQuota, createdAt, ...counters } = row;
  return {
    ...counters,
    ...quotaInForce({ tenant: ownQuota, project: projectQuota, service: defaultQuotaBytes }),
    createdAt: createdAt.toISOString(),
  };
}
