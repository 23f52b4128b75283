import { type QuotaSource, quotaSources } from "@stowage/schemas";

/** The nearest quota that anybody set, in bytes, and who did; null where nobody did. Zero is a quota, too. */
export function quotaInForce(quotas: Record<QuotaSource, number | null>): {
  quotaBytes: number | null;
  quotaSource: QuotaSource | null;
} {
  const quotaSource = quotaSources.find((source) => quotas[source] !== null) ?? null;
  return { quotaBytes: quotaSource && quotas[quotaSource], quotaSource };
}
