import { createHash } from "node:crypto";

/** An MD5 that grows block by block. */
export interface RunningMd5 {
  /** Adds the block's first bytes. The block is not the caller's until it is given back, perhaps as another object. */
  update(block: ArrayBuffer, bytes: number): Promise<ArrayBuffer> | ArrayBuffer;
  digest(): Promise<Buffer> | Buffer;
  /** For whoever started it, however it ended. */
  close(): void;
}

/** Hashes where it is called. */
export function startMd5(): RunningMd5 {
  const hash = createHash("md5");
  return {
    update(block, bytes) {
      hash.update(new Uint8Array(block, 0, bytes));
      return block;
    },
    digest: () => hash.digest(),
    close: () => {},
  };
}
