interface Day {
  day: string;
  uploadedBytes: number;
  deletedBytes: number;
}

/**
 * Adds to each day how many bytes were stored at its end. Computed backwards from what is stored now, because the service keeps the
 * changes of each day.
 *
 * @param days oldest first; the last one is today
 * @param usedBytes what is stored now
 */
export function withUsedBytes<D extends Day>(days: D[], usedBytes: number): (D & { usedBytes: number })[] {
  let used = usedBytes;
  const newestFirst = days.toReversed().map((day) => {
    // The two figures may be from different moments. The oldest days could then be a few bytes below zero.
    const usedAtEnd = Math.max(0, used);
    used += day.deletedBytes - day.uploadedBytes;
    return { ...day, usedBytes: usedAtEnd };
  });
  return newestFirst.toReversed();
}
