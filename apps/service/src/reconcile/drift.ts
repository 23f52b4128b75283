import type { FileStatus } from "@stowage/schemas";

/** A tenant's counters, or the sums over its files that they ought to be. */
export interface Counters {
  usedBytes: number;
  reservedBytes: number;
  fileCount: number;
}

/** A tenant whose counters, or whose days of coming and going, are not the sums over its files. */
export type TenantDrift = { projectRef: string; tenantId: string } & (
  | { kind: "counters"; recorded: Counters; actual: Counters }
  | { kind: "days"; recorded: Omit<Counters, "reservedBytes">; actual: Omit<Counters, "reservedBytes"> }
);

/**
 * A path at which rows and bucket disagree: a stored file whose object is `missing`, or has another `size`; an object that
 * was never counted (`unsettled`); an object that no row knows (`orphan`).
 */
export type FileDrift = { projectRef: string; path: string } & (
  | { kind: "missing"; recordedBytes: number }
  | { kind: "size"; recordedBytes: number; foundBytes: number }
  | { kind: "unsettled"; status: FileStatus; foundBytes: number }
  | { kind: "orphan"; foundBytes: number; lastModified: Date; isProjectKnown: boolean }
);

export type Drift = TenantDrift | FileDrift;
