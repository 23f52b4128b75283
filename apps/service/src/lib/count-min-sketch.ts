import { createHash } from "node:crypto";

/** More columns make counts more exact. With these, the sketch has 1 MB. */
const COLUMNS = 65_536;
/** Each row counts a key in another column. A hash has enough bits for eight rows. */
const ROWS = 4;

/**
 * Counts how often keys were seen, in a fixed amount of memory for any number of keys: a count-min sketch with conservative update
 * (https://en.wikipedia.org/wiki/Count-min_sketch). A count is never too low. Keys that share their columns in all rows can make it too
 * high: with N additions in total, by more than N / 24,000 for about one key in fifty.
 */
export class CountMinSketch {
  readonly #rows = Array.from({ length: ROWS }, () => new Uint32Array(COLUMNS));
  readonly #seed: Uint8Array;

  /** @param seed random bytes, so that a caller who chooses keys cannot choose keys that share their columns */
  constructor(seed: Uint8Array) {
    this.#seed = seed;
  }

  count(key: string): number {
    return this.#read(this.#columnsOf(key));
  }

  /** @returns the new count */
  add(key: string): number {
    const columns = this.#columnsOf(key);
    const count = this.#read(columns) + 1;
    this.#raise(columns, count);
    return count;
  }

  /** Makes sure that the key's count is at least `count`. */
  raise(key: string, count: number): void {
    this.#raise(this.#columnsOf(key), count);
  }

  clear(): void {
    for (const row of this.#rows) row.fill(0);
  }

  #columnsOf(key: string): number[] {
    const hash = createHash("sha256").update(this.#seed).update(key).digest();
    return this.#rows.map((_, row) => hash.readUInt32LE(row * 4) % COLUMNS);
  }

  #read(columns: number[]): number {
    return Math.min(...this.#rows.map((row, index) => row[columns[index]!]!));
  }

  #raise(columns: number[], count: number): void {
    this.#rows.forEach((row, index) => {
      const column = columns[index]!;
      row[column] = Math.max(row[column]!, count);
    });
  }
}
