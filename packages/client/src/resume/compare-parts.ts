import type { StoredPart } from "@stowage/schemas";
import type { Runtime } from "../runtime.js";
import type { PutTarget } from "../transport.js";
import { UploadError } from "../upload-error.js";
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

/**
 * Returns what adds the MD5 of the bytes to the headers of a PUT. The URL does not sign it, and storage checks it anyway. Its error is
 * `file_unreadable`. It is in this file because a chunk of its own would make the first load larger.
 *
 * @throws the refusal, if storage did not demand an MD5
 */
export function md5Adder(runtime: Pick<Runtime, "after">, refusal: UploadError) {
  // AWS names the header in its answer.
  if (!/Content-MD5/.test(String(refusal.cause))) throw refusal;
  return async (target: PutTarget, bytes: Blob): Promise<PutTarget> => {
    const hasher = createMd5Hasher(runtime);
    try {
      const hex = await hasher.md5Of(bytes);
      const md5 = btoa(hex.replaceAll(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16))));
      return { ...target, headers: { ...target.headers, "Content-MD5": md5 } };
    } catch (cause) {
      throw new UploadError("file_unreadable", { cause });
    } finally {
      hasher.close();
    }
  };
}
