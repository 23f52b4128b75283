import { sizeOfPart } from "@stowage/schemas/page-rules";
import type { PendingRetry } from "../../network/call-with-retry.js";
import type { UploadEvent } from "../upload-job.js";

/** Adds up what the parts of one file report, and reports it as the progress of the file. */
export function createPartProgress(
  { sizeBytes, partSizeBytes }: { sizeBytes: number; partSizeBytes: number },
  onEvent: (event: UploadEvent) => void,
) {
  const sizeOf = (number: number) => sizeOfPart(number, { sizeBytes, partSizeBytes });
  /** Bytes of the parts that are being sent. */
  const sending = new Map<number, number>();
  /** The parts that wait for their next attempt. */
  const waiting = new Set<number>();
  let storedBytes = 0;
  let storedParts = 0;

  function sentBytes(): number {
    let bytes = storedBytes;
    for (const partBytes of sending.values()) bytes += partBytes;
    return bytes;
  }

  function reportSent() {
    const isOut = [...sending].every(([number, bytes]) => bytes >= sizeOf(number));
    onEvent({ type: "bytes-sent", sentBytes: sentBytes(), isOut });
  }

  function addStored(number: number) {
    sending.delete(number);
    waiting.delete(number);
    storedBytes += sizeOf(number);
    storedParts++;
  }

  return {
    sizeOf,
    storedParts: () => storedParts,
    /** Storage had these parts before. */
    addFound(numbers: Iterable<number>) {
      for (const number of numbers) addStored(number);
      onEvent({ type: "bytes-found", sentBytes: sentBytes() });
    },
    addSent(number: number) {
      addStored(number);
      reportSent();
    },
    /** @param bytes of the part; a new attempt begins at 0 */
    setSending(number: number, bytes: number) {
      sending.set(number, bytes);
      reportSent();
    },
    /** The file shows a pause only if all its parts wait. */
    setRetry(number: number, retry: PendingRetry | null) {
      if (retry) waiting.add(number);
      else waiting.delete(number);
      if (retry && waiting.size >= sending.size) onEvent({ type: "requesting", retry });
    },
  };
}

export type PartProgress = ReturnType<typeof createPartProgress>;
