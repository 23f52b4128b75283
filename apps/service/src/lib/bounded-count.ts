/** A number of entries, up to a bound. The dashboard shows a number that is not exact as "1,000+". */
export interface BoundedCount {
  count: number;
  /** False if there may be more. */
  isExact: boolean;
}

/** The largest exact count. */
export const MAX_COUNT = 1000;

/**
 * @param read the number of entries that were read: more than {@link MAX_COUNT} if there are more
 * @param isCut whether there are entries that were not read
 */
export function boundedCount(read: number, isCut: boolean): BoundedCount {
  return { count: Math.min(read, MAX_COUNT), isExact: !isCut && read <= MAX_COUNT };
}
