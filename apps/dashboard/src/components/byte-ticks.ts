/** Between two marks, in units of 1,024: round as people read sizes, where charts count in tens. */
const STEPS = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 256, 512];
const MOST_STEPS = 5;

/** The marks of an axis of bytes, from 0 to the first one that `mostBytes` does not pass: 0, 512 MB, 1 GB. */
export function byteTicks(mostBytes: number): number[] {
  const unit = 1024 ** Math.max(0, Math.floor(Math.log2(Math.max(1, mostBytes)) / 10));
  const step = Math.max(1, unit * (STEPS.find((step) => mostBytes <= step * unit * MOST_STEPS) ?? 512));
  const count = Math.max(1, Math.ceil(mostBytes / step));
  return Array.from({ length: count + 1 }, (_, i) => i * step);
}
