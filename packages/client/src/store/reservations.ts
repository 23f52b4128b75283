import type { FileCollection } from "./file-collection.js";

/**
 * Knows what the uploads of one list may reserve of the quota. The service reserves the bytes of a file before its answer is here, and
 * until it has confirmed the file, so a refusal may count a file of the same list that has no path yet, or is done by now.
 */
export function createReservations(files: Pick<FileCollection, "reserving">) {
  const running = new Map<string, { bytes: number; othersBytes: number }>();
  return {
    /** A request of this file is sent. From now on, its answer may count what other files reserve. */
    requesting(id: string, bytes: number) {
      const others = [...running].filter(([other]) => other !== id).map(([, other]) => other);
      if (!running.has(id)) for (const other of others) other.othersBytes += bytes;
      running.set(id, { bytes, othersBytes: others.reduce((sum, other) => sum + other.bytes, 0) });
    },
    ended(id: string) {
      running.delete(id);
    },
    /** What the list may have reserved when the request of this file was answered. */
    bytesOf(id: string): number {
      let bytes = running.get(id)?.othersBytes ?? 0;
      for (const { item } of files.reserving()) {
        // Such as a paused upload by parts, or an earlier attempt of this file.
        if (item.id === id || !running.has(item.id)) bytes += item.size;
      }
      return bytes;
    },
  };
}

export type Reservations = ReturnType<typeof createReservations>;
