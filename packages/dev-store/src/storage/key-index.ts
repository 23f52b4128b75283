/** The listed properties of an object. */
export interface IndexEntry {
  readonly key: string;
  readonly sizeBytes: number;
  /** Without quotes. */
  readonly etag: string;
  /** Milliseconds since the epoch. */
  readonly lastModified: number;
  /** The multipart upload whose parts are the data; undefined if the data is in one file. */
  readonly partsOf?: string;
}

/** The keys of a bucket in listing order, in memory. It is rebuilt from the files at every start. */
export interface KeyIndex {
  get(key: string): IndexEntry | undefined;
  set(entry: IndexEntry): void;
  delete(key: string): void;
  /** Finds the position of the first key for which `isBefore` is false. It must be true for a leading run of keys. */
  findFirst(isBefore: (key: string) => boolean): number;
  at(position: number): IndexEntry | undefined;
}

export function createKeyIndex(entries: IndexEntry[]): KeyIndex {
  const sorted = entries.sort((a, b) => compareKeys(a.key, b.key));
  const findFirst = (isBefore: (key: string) => boolean): number => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(sorted[middle]!.key)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const find = (key: string): { position: number; isFound: boolean } => {
    const position = findFirst((other) => compareKeys(other, key) < 0);
    return { position, isFound: sorted[position]?.key === key };
  };
  return {
    findFirst,
    at: (position) => sorted[position],
    get(key) {
      const { position, isFound } = find(key);
      return isFound ? sorted[position] : undefined;
    },
    set(entry) {
      const { position, isFound } = find(entry.key);
      sorted.splice(position, isFound ? 1 : 0, entry);
    },
    delete(key) {
      const { position, isFound } = find(key);
      if (isFound) sorted.splice(position, 1);
    },
  };
}

/**
 * Compares keys by their UTF-8 bytes, as S3 listings do. JavaScript compares UTF-16 units. The orders differ only when a
 * surrogate (a character above U+FFFF) is compared with a unit from U+E000 on.
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
