/** The summary of several measurements. */
export interface Summary {
  median: number;
  /** The first and the third quartile. */
  low: number;
  high: number;
}

/** @throws {RangeError} if `values` is empty */
export function summarise(values: number[]): Summary {
  return { median: quantile(values, 0.5), low: quantile(values, 0.25), high: quantile(values, 0.75) };
}

/** Interpolates between the two nearest values (Hyndman and Fan, type 7). @param share from 0 to 1 */
export function quantile(values: number[], share: number): number {
  if (values.length === 0) throw new RangeError("nothing was measured");
  const sorted = values.toSorted((one, other) => one - other);
  const at = share * (sorted.length - 1);
  const below = sorted[Math.floor(at)]!;
  const above = sorted[Math.ceil(at)]!;
  return below + (above - below) * (at - Math.floor(at));
}
