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
