import { schemaResolver } from "@mantine/form";
import { tenantLimitsInput } from "@stowage/operator-schemas";
import { formatSizeInput, parseSizeInput } from "./size-input.js";
import { tenantLimits as texts } from "./tenant-limits-texts.js";

/** Limits of a tenant or a plan. Null: the next place decides. */
export interface TenantLimits {
  quotaBytes: number | null;
  maxFiles: number | null;
  maxOpenUploads: number | null;
  uploadsPerMinute: number | null;
}

/** The limits as texts. Empty: the next place decides. */
export type TenantLimitsForm = Record<keyof TenantLimits, string>;

/** The limits that are numbers without a unit. */
export const counts = ["maxFiles", "maxOpenUploads", "uploadsPerMinute"] as const;

const formatNumber = (value: number | null) => (value === null ? "" : String(value));

export function formatTenantLimits(limits: TenantLimits): TenantLimitsForm {
  const { quotaBytes, maxFiles, maxOpenUploads, uploadsPerMinute } = limits;
  return {
    quotaBytes: quotaBytes === null ? "" : formatSizeInput(quotaBytes),
    maxFiles: formatNumber(maxFiles),
    maxOpenUploads: formatNumber(maxOpenUploads),
    uploadsPerMinute: formatNumber(uploadsPerMinute),
  };
}

const parse = (text: string, read: (text: string) => number | null) =>
  text.trim() === "" ? null : (read(text) ?? NaN);

/** A text that is no size or number becomes NaN, which the schema refuses. */
export function parseTenantLimits(form: TenantLimitsForm): TenantLimits {
  return {
    quotaBytes: parse(form.quotaBytes, parseSizeInput),
    maxFiles: parse(form.maxFiles, Number),
    maxOpenUploads: parse(form.maxOpenUploads, Number),
    uploadsPerMinute: parse(form.uploadsPerMinute, Number),
  };
}

const resolve = schemaResolver(tenantLimitsInput, { sync: true });

/** @returns the errors by form field */
export function validateTenantLimits(form: TenantLimitsForm): Record<string, string> {
  const limits = parseTenantLimits(form);
  const errors = Object.entries(resolve({ ...limits })).map(([name, message]) => {
    const isUnreadable = Number.isNaN(limits[name as keyof TenantLimits]);
    const unreadable = name === "quotaBytes" ? texts.notASize : texts.notANumber;
    return [name, isUnreadable ? unreadable : String(message)];
  });
  return Object.fromEntries(errors) as Record<string, string>;
}
