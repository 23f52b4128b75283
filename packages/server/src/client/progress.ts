import type { UploadProgress } from "./upload-input.js";

/** Adds up the bytes that several PUTs have sent. */
export interface Progress {
  /** Starts to count the bytes of one PUT. */
  start(): {
    add(bytes: number): void;
    /** Subtracts what was added: the PUT failed and will be sent again. */
    takeBack(): void;
  };
  /** Starts again from 0. */
  reset(): void;
}

/**
 * Reports the sum of the sent bytes after each change.
 *
 * @param onError receives what `onProgress` throws
 */
export function trackProgress(
  sizeBytes: number,
  onProgress: ((progress: UploadProgress) => void) | undefined,
  onError: (thrown: unknown) => void,
): Progress {
  let sentBytes = 0;
  const change = (bytes: number) => {
    sentBytes += bytes;
    try {
      onProgress?.({ sentBytes, sizeBytes });
    } catch (thrown) {
      onError(thrown);
    }
  };
  return {
    start() {
      let ownBytes = 0;
      return {
        add(bytes) {
          ownBytes += bytes;
          change(bytes);
        },
        takeBack() {
          if (ownBytes > 0) change(-ownBytes);
          ownBytes = 0;
        },
      };
    },
    reset: () => change(-sentBytes),
  };
}
