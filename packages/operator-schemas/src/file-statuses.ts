import type { FileStatus } from "@stowage/schemas";
import type { FileState } from "./constants.js";

/** What a status says about a file. */
interface FileStatusTraits {
  /** Its bytes are in storage, and count toward the quota: those in the trash count until they are purged. */
  counts: boolean;
  /** Its bytes can still arrive: a PUT to its URL may be running. */
  mayArrive: boolean;
  /** Its path finds nothing, and a list shows it only when it is asked for this status. */
  isHidden: boolean;
  /** The indexes by name and by size have it. Without pending files, so that admitting an upload need not update them. */
  isSorted: boolean;
  /** The states in which the dashboard shows such a file. None: no list shows it. */
  states: readonly FileState[];
}

/**
 * What each status of a file says. Statements, indexes and SQL functions have their lists of statuses from here, and the dashboard asks
 * it too. A rule about exactly one status names that status.
 */
export const fileStatusTraits: Readonly<Record<FileStatus, FileStatusTraits>> = {
  pending: {
    counts: false,
    mayArrive: true,
    isHidden: false,
    isSorted: false,
    states: ["uploading", "unfinished"],
  },
  stored: { counts: true, mayArrive: false, isHidden: false, isSorted: true, states: ["stored"] },
  expired: {
    counts: false,
    mayArrive: true,
    isHidden: false,
    isSorted: true,
    states: ["unfinished", "missing"],
  },
  deleting: { counts: false, mayArrive: false, isHidden: true, isSorted: false, states: [] },
  trashed: { counts: true, mayArrive: false, isHidden: true, isSorted: false, states: ["trashed"] },
};
