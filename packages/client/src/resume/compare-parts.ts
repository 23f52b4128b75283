import type { StoredPart } from "@stowage/schemas";
import type { Runtime } from "../runtime.js";
import { createMd5Hasher, type Md5Hasher } from "./md5-hasher.js";

/** Tells which parts in storage have the same bytes as a file. Two files must never become one. */
export interface PartComparison {
  /** @throws the browser's error if the file cannot be read any more, and after `close` */
  isSame(part: StoredPart): Promise<boolean>;
  /** Ends the worker. Comparisons that run reject. */
  close(): void;
}

export interface PartComparisonOptions {
  file: Blob;
  partSizeBytes: number;
  /**
   * Whether the file has the size and the fingerprint of the upload. This decides if storage encrypts, because the ETag of a
   * part is then no MD5.
   */
  isSampleSame: boolean;
}

/** @param createHasher replaced in tests */
export function createPartComparison(
  runtime: Pick<Runtime, "after">,
  { file, partSizeBytes, isSampleSame }: PartComparisonOptions,
  createHasher: () => Md5Hasher = () => createMd5Hasher(runtime),
): PartComparison {
  let hasher: Md5Hasher | null = null;
  return {
    async isSame({ number, size, etag }) {
      const start = (number - 1) * partSizeBytes;
      const part = file.slice(start, start + partSizeBytes);
      if (part.size !== size) return false;
      const md5 = md5Of(etag);
      if (md5 === null) return isSampleSame;
      hasher ??= createHasher();
      return (await hasher.md5Of(part)) === md5;
    },
    close: () => hasher?.close(),
  };
}

/** @returns lower-case hex; null for an ETag that is no MD5 */
function md5Of(etag: string): string | null {
  const hex = etag.replaceAll('"', "").toLowerCase();
  return /^[0-9a-f]{32}$/.test(hex) ? hex : null;
}
