/** What a listing says about an object. */
export interface IndexEntry {
  readonly key: string;
  readonly sizeBytes: number;
  /** Without quotes. */
  readonly etag: string;
  /** Milliseconds since the epoch. */
  readonly lastModified: number;
}

/** The keys of a bucket in listing order. Built from the files at start, so it cannot disagree with them for long. */
export interface KeyIndex {
  get(key: string): IndexEntry | undefined;
  set(entry: IndexEntry): void;
  delete(key: string): void;
  /** Entries in order, from the first one on that `isBefore` is not true of. It must be true of a leading run. */
  from(isBefore: (key: string) => boolean): number;
  at(position: number): IndexEntry | undefined;
}

export function createKeyIndex(entries: IndexEntry[]): KeyIndex {
  const sorted = entries.sort((a, b) => compareKeys(a.key, b.key));
  const from = (isBefore: (key: string) => boolean): number => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(sorted[middle]!.key)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const find = (key: string): { position: number; isThere: boolean } => {
    const position = from((other) => compareKeys(other, key) < 0);
    return { position, isThere: sorted[position]?.key === key };
  };
  return {
    from,
    at: (position) => sorted[position],
    get(key) {
      const { position, isThere } = find(key);
      return isThere ? sorted[position] : undefined;
    },
    set(entry) {
      const { position, isThere } = find(entry.key);
      sorted.splice(position, isThere ? 1 : 0, entry);
    },
    delete(key) {
      const { position, isThere } = find(key);
      if (isThere) sorted.splice(position, 1);
    },
  };
}

/**
 * Compares keys by their UTF-8 bytes, the order of S3 listings. JavaScript compares UTF-16 units, which differs
 * only where a surrogate (a character past U+FFFF) meets a unit from U+E000 on.
 */
export function compareKeys(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
