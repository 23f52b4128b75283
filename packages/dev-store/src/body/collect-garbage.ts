/** Between two collections; at 64 KiB an arrival, some hundred buffers. */
const STEP_BYTES = 8 * 1024 ** 2;

/**
 * Node copies every arrival into a buffer of its own, and V8 lets some 40 MB of spent ones gather before it looks.
 * Where the process has exposed `gc` (main.ts does), spent ones are collected as they fall due, which takes less
 * than a millisecond and keeps a large upload's memory flat. Elsewhere this does nothing.
 */
export function createCollector(): (receivedBytes: number) => void {
  let uncollectedBytes = 0;
  return (receivedBytes) => {
    uncollectedBytes += receivedBytes;
    if (uncollectedBytes < STEP_BYTES) return;
    uncollectedBytes = 0;
    void globalThis.gc?.({ type: "minor" });
  };
}
