/** The time that storage gets for its answer in any case. */
const ANSWER_MS = 120_000;
/** Below this speed, an upload is given up: a modem is faster. */
const SLOWEST_BYTES_PER_SECOND = 16 * 1024;
/** Lines change: from Wi-Fi to a train's mobile network. */
const SLOWDOWN = 16;
/** A file that takes longer is sent by parts if possible: then a pause, a reload or a lost connection costs a part at most. */
const SLOW_SECONDS = 30;
/** A smaller PUT measures the delay of the line, not its speed. */
const MIN_MEASURED_BYTES = 64 * 1024;

/**
 * How fast the last PUT went, from its first byte to its answer. Proxies and virus scanners that take all bytes at once do not deceive it.
 * It tells how long storage may be silent while it still receives bytes.
 */
export function createLineSpeed() {
  let bytesPerSecond: number | undefined;
  return {
    add(bytes: number, ms: number) {
      if (bytes >= MIN_MEASURED_BYTES && ms > 0) bytesPerSecond = (bytes * 1000) / ms;
    },
    /** Whether a file takes long. Before the first PUT, some browsers know that a phone has a slow network. */
    isSlow(bytes: number): boolean {
      if (bytesPerSecond !== undefined) return bytes / bytesPerSecond > SLOW_SECONDS;
      const { connection } = (globalThis.navigator ?? {}) as { connection?: { effectiveType?: string } };
      return /^(slow-)?[23]g$/.test(connection?.effectiveType ?? "");
    },
    /**
     * Milliseconds from the start of a PUT, or from the last byte that was seen to leave.
     *
     * @param puts how many share the line
     */
    answerLimitMs(bytes: number, puts: number): number {
      const slowest = Math.max(SLOWEST_BYTES_PER_SECOND / puts, (bytesPerSecond ?? 0) / SLOWDOWN);
      return ANSWER_MS + Math.ceil((bytes * 1000) / slowest);
    },
  };
}

export type LineSpeed = ReturnType<typeof createLineSpeed>;
