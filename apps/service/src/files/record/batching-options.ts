import type { BatchObserver } from "#db/traffic/batches.js";

/** How calls of one kind share statements. */
export interface BatchingOptions {
  /** Whether the projects are on several nodes: then each statement has the uploads of one project. @default never */
  isSeparate?: () => boolean;
  observer?: BatchObserver | undefined;
}
