import { StowageError } from "@stowage/schemas";

/**
 * An upload by parts that failed. Its stored parts are kept until the upload ends, seven days after it was opened by default, and
 * occupy the quota. `upload` with `resume: error.filePath` continues it, `cancelUpload(error.filePath)` gives it up.
 */
export class IncompleteUploadError extends StowageError {
  readonly filePath: string;

  constructor(failure: StowageError, filePath: string) {
    const { message: detail, retryAfterSeconds, cause } = failure;
    super(failure.code, { detail, retryAfterSeconds, ...(cause === undefined ? {} : { cause }) });
    this.filePath = filePath;
  }
}
