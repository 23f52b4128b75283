import { S3Error } from "../errors.js";

export interface ByteReader {
  /** Reads the next line, of at most `maxBytes` without its CRLF. */
  line(maxBytes: number): Promise<string>;
  /** Reads at least one and at most `maxBytes` of the next bytes. */
  some(maxBytes: number): Promise<Buffer>;
  isAtEnd(): Promise<boolean>;
}

/** Reads lines and blocks from a stream. It buffers at most one chunk and one line. */
export function byteReader(source: AsyncIterable<Buffer>): ByteReader {
  const chunks = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  const more = async (): Promise<boolean> => {
    const next = await chunks.next();
    if (next.done) return false;
    rest = rest.length === 0 ? next.value : Buffer.concat([rest, next.value]);
    return true;
  };
  const take = (count: number): Buffer => {
    const taken = rest.subarray(0, count);
    rest = rest.subarray(count);
    return taken;
  };
  return {
    async line(maxBytes) {
      for (;;) {
        const end = rest.subarray(0, maxBytes + 2).indexOf("\r\n");
        if (end >= 0) {
          const line = take(end).toString("latin1");
          take(2);
          return line;
        }
        if (rest.length > maxBytes + 1)
          throw new S3Error("InvalidRequest", "A line of the body is too long.");
        if (!(await more())) throw new S3Error("IncompleteBody");
      }
    },
    async some(maxBytes) {
      while (rest.length === 0) if (!(await more())) throw new S3Error("IncompleteBody");
      return take(maxBytes);
    },
    async isAtEnd() {
      while (rest.length === 0) if (!(await more())) return true;
      return false;
    },
  };
}
