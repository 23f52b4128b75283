import type { FileStatus } from "@stowage/schemas";

/** A tenant's counters, or the sums over its files that they ought to be. */
export interface Counters {
  usedBytes: number;
  reservedBytes: number;
  fileCount: number;
}

/** A tenant whose counters are not the sums over its files. */
export interface CounterDrift {
  kind: "counters";
  projectRef: string;
  tenantId: string;
  recorded: Counters;
  actual: Counters;
}

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

export type Drift = CounterDrift | FileDrift;
