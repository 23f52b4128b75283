/** Between two collections: some hundred buffers of 64 KiB. */
const STEP_BYTES = 8 * 1024 ** 2;

/**
 * Node copies every arrival, and every block it reads from a file, into a buffer of its own, and V8 lets some 40 MB of
 * spent ones gather before it looks. Where the process has exposed `gc` (main.ts does), they are collected as they
 * fall due, which takes less than a millisecond and keeps memory flat however large the object. Elsewhere this does
 * nothing.
 */
export function createCollector(): (spentBytes: number) => void {
  let uncollectedBytes = 0;
  return (spentBytes) => {
    uncollectedBytes += spentBytes;
    if (uncollectedBytes < STEP_BYTES) return;
    uncollectedBytes = 0;
    void globalThis.gc?.({ type: "minor" });
  };
}
