/** Distances between two ticks that give short labels in kB, MB or GB. */
const STEPS = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500];
const MAX_STEPS = 5;

/** Returns the ticks of an axis of bytes, such as 0, 500 MB, 1 GB. The last tick is at least `maxBytes`. */
export function byteTicks(maxBytes: number): number[] {
  const unit = 1000 ** Math.max(0, Math.floor(Math.log10(Math.max(1, maxBytes)) / 3));
  const step = Math.max(1, unit * (STEPS.find((step) => maxBytes <= step * unit * MAX_STEPS) ?? 500));
  const count = Math.max(1, Math.ceil(maxBytes / step));
  return Array.from({ length: count + 1 }, (_, i) => i * step);
}
