import { type CountLimits, type QuotaSource, quotaSources } from "@stowage/schemas";
import { and, eq, sql } from "drizzle-orm";
import { plans, projects, tenants } from "#db/schema/index.js";
import { showLimits } from "#projects/merge-limits.js";

/** A tenant as the verbs return it: the API's `Tenant` in camelCase. */
export interface TenantRecord extends ShownLimits {
  tenantId: string;
  usedBytes: number;
  reservedBytes: number;
  fileCount: number;
  quotaBytes: number | null;
  quotaSource: QuotaSource | null;
  createdAt: string;
}

/** The plan of a tenant, and the limits that apply to it beside its quota; null for none. */
export interface ShownLimits {
  plan: string | null;
  maxFiles: number | null;
  maxOpenUploads: number | null;
  uploadsPerMinute: number | null;
}

/** What the service's settings say about tenants that have no limits of their own, of their plan or of their project. */
export interface ServiceLimits {
  defaultQuotaBytes: number | null;
  defaultLimits: CountLimits;
}

/** The columns that the limits of a tenant are made of, for a select that joins tenants, projects and {@link planOf}. */
export const limitColumns = {
  ownQuota: tenants.quotaBytes,
  planQuota: sql<number | null>`${plans.quotaBytes}`.mapWith(Number).as("plan_quota"),
  projectQuota: projects.defaultQuotaBytes,
  plan: tenants.plan,
  limits: tenants.limits,
  planLimits: sql<CountLimits | null>`${plans.limits}`.mapWith(plans.limits).as("plan_limits"),
  projectLimits: projects.defaultLimits,
};

export interface LimitValues {
  ownQuota: number | null;
  planQuota: number | null;
  projectQuota: number | null;
  plan: string | null;
  limits: CountLimits | null;
  planLimits: CountLimits | null;
  projectLimits: CountLimits | null;
}

/** The columns of a {@link TenantRecord}, for a select from `tenants` joined with its project and {@link planOf}. */
export const tenantColumns = {
  tenantId: tenants.tenantId,
  usedBytes: tenants.usedBytes,
  reservedBytes: tenants.reservedBytes,
  fileCount: tenants.fileCount,
  ...limitColumns,
  createdAt: tenants.createdAt,
};

/** Joins a tenant with its plan: a left join, because most tenants have none. */
export const planOf = and(eq(plans.projectId, tenants.projectId), eq(plans.name, tenants.plan));

interface Selected extends LimitValues {
  tenantId: string;
  usedBytes: number;
  reservedBytes: number;
  fileCount: number;
  createdAt: Date;
}

/** Names each member, so that no other column of a row reaches the API. */
export function toTenantRecord(row: Selected, service: ServiceLimits): TenantRecord {
  return {
    tenantId: row.tenantId,
    usedBytes: row.usedBytes,
    reservedBytes: row.reservedBytes,
    fileCount: row.fileCount,
    ...quotaOf(row, service),
    ...limitsOf(row, service),
    createdAt: row.createdAt.toISOString(),
  };
}

/** The quota that applies, as `effectiveQuota` says. */
export function quotaOf(values: LimitValues, { defaultQuotaBytes }: ServiceLimits) {
  const { ownQuota: tenant, planQuota: plan, projectQuota: project } = values;
  return effectiveQuota({ tenant, plan, project, service: defaultQuotaBytes });
}

/** The limits that apply beside the quota, each from the first place that sets it: tenant, plan, project, service. */
export function limitsOf(values: LimitValues, { defaultLimits }: ServiceLimits): ShownLimits {
  const { plan, limits, planLimits, projectLimits } = values;
  return { plan, ...showLimits({ ...defaultLimits, ...projectLimits, ...planLimits, ...limits }) };
}

/**
 * The quota that applies to a tenant: its own, else its plan's, else the project's, else the service's. Zero is a quota too; null means
 * none is set.
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
