import { type QuotaSource, quotaSources } from "@stowage/schemas";
import { projects, tenants } from "#db/schema/index.js";

/** A tenant as the verbs return it: the API's `Tenant` in camelCase. */
export interface TenantRecord {
  tenantId: string;
  usedBytes: number;
  reservedBytes: number;
  fileCount: number;
  quotaBytes: number | null;
  quotaSource: QuotaSource | null;
  createdAt: string;
}

/** The columns of a {@link TenantRecord}, for a select from `tenants` joined with its project. */
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

/**
 * Names each member, so that no other column of a row reaches the API.
 *
 * @param defaultQuotaBytes the service's own default
 */
export function toTenantRecord(row: Selected, defaultQuotaBytes: number | null): TenantRecord {
  return {
    tenantId: row.tenantId,
    usedBytes: row.usedBytes,
    reservedBytes: row.reservedBytes,
    fileCount: row.fileCount,
    ...effectiveQuota({ tenant: row.ownQuota, project: row.projectQuota, service: defaultQuotaBytes }),
    createdAt: row.createdAt.toISOString(),
  };
}

/**
 * The quota that applies to a tenant: its own, else the project's, else the service's. Zero is a quota too; null means none is set.
 *
 * @returns the quota in bytes and where it is set; nulls if it is set nowhere
 */
export function effectiveQuota(quotas: Record<QuotaSource, number | null>): {
  quotaBytes: number | null;
  quotaSource: QuotaSource | null;
} {
  const quotaSource = quotaSources.find((source) => quotas[source] !== null) ?? null;
  return { quotaBytes: quotaSource && quotas[quotaSource], quotaSource };
}
