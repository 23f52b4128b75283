import type { UploadFailure } from "../upload-item.js";

/** An upload by parts that was not finished, and that this page can continue. It is immutable. */
export interface ResumableUpload {
  /** `file_path` of the upload. Identifies it. */
  readonly path: string;
  readonly name: string;
  /** Bytes of the whole file. */
  readonly size: number;
  /** Bytes of the parts that are in storage. */
  readonly storedBytes: number;
  /** 0 to 1. */
  readonly progress: number;
  /** When the upload ends and its parts are deleted. RFC 3339, UTC. */
  readonly expiresAt: string;
  /**
   * Whether this browser can read the file again after the person has allowed it. Otherwise the person has to choose the
   * file again.
   */
  readonly canContinueWithoutChoosing: boolean;
  /** `checking` while the file is read and compared, `discarding` while the backend ends the upload. */
  readonly status: "waiting" | "checking" | "discarding";
  /** Why the last command failed, such as `different_file`; null otherwise. */
  readonly error: UploadFailure | null;
}
