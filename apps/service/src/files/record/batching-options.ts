import type { BatchObserver } from "#lib/batch-calls.js";

/** How calls of one kind share statements. */
export interface BatchingOptions {
  /** How long one call may wait for its answer. */
  timeoutMs: number;
  /** Whether the projects are on several nodes: then each statement has the uploads of one project. @default never */
  isCitus?: () => boolean;
  observer?: BatchObserver | undefined;
}
