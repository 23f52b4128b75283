import { createHash } from "node:crypto";

/** The ETag of the object that storage has to make of the parts of a file. */
export interface ExpectedEtag {
  /** Adds the MD5 of the next part, in the order of the numbers. */
  add(md5: Buffer): void;
  /** Returns whether the ETag that storage gave to a part is the MD5 of its bytes. */
  comparePart(etag: string | undefined, md5: Buffer): boolean;
  /** Compares the ETag of the object with the parts. "unknown" if this ETag, or those of the parts, are not made of MD5s. */
  compareObject(etag: string | null): "same" | "different" | "unknown";
}

/**
 * Computes the ETag of an object of parts: the MD5 of the MD5s of its parts, and their number. With SSE-KMS and SSE-C, the ETags of
 * parts are not MD5s, but have the same shape. If the ETag of one part is the MD5 of its bytes, this is true for all parts of the upload.
 */
export function expectEtag(): ExpectedEtag {
  const all = createHash("md5");
  let count = 0;
  let areMd5s = false;
  return {
    add(md5) {
      all.update(md5);
      count += 1;
    },
    comparePart(etag, md5) {
      const isSame = etag !== undefined && withoutQuotes(etag) === md5.toString("hex");
      areMd5s ||= isSame;
      return isSame;
    },
    compareObject(etag) {
      const actual = etag === null ? "" : withoutQuotes(etag);
      if (actual === `${all.copy().digest("hex")}-${count}`) return "same";
      return areMd5s && COMPOSITE_ETAG.test(actual) ? "different" : "unknown";
    },
  };
}

const COMPOSITE_ETAG = /^[0-9a-f]{32}-\d+$/;

function withoutQuotes(etag: string): string {
  return etag.replaceAll('"', "").toLowerCase();
}
