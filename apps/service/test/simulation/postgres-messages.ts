/** A message of PostgreSQL's protocol: https://www.postgresql.org/docs/current/protocol-message-formats.html */
export interface Message {
  /** One letter; empty for the first message of a client, which has none. */
  type: string;
  /** The whole message. */
  bytes: Buffer;
  /** What follows the type and the length. */
  body: Buffer;
}

const LENGTH_BYTES = 4;

/**
 * Splits what one side of a connection sends into its messages.
 *
 * @param isClient the first message of a client has no type
 */
export async function* readMessages(
  stream: AsyncIterable<Buffer>,
  isClient: boolean,
): AsyncGenerator<Message> {
  let waiting = Buffer.alloc(0);
  let typeBytes = isClient ? 0 : 1;
  for await (const chunk of stream) {
    waiting = Buffer.concat([waiting, chunk]);
    for (;;) {
      const headBytes = typeBytes + LENGTH_BYTES;
      if (waiting.length < headBytes) break;
      const end = typeBytes + waiting.readInt32BE(typeBytes);
      if (waiting.length < end) break;
      const bytes = waiting.subarray(0, end);
      waiting = waiting.subarray(end);
      yield { type: bytes.toString("latin1", 0, typeBytes), bytes, body: bytes.subarray(headBytes) };
      typeBytes = 1;
    }
  }
}

/** A statement in the simple protocol. */
export function queryMessage(statement: string): Buffer {
  const text = Buffer.from(`${statement}\0`);
  const head = Buffer.from("Q\0\0\0\0", "latin1");
  head.writeInt32BE(LENGTH_BYTES + text.length, 1);
  return Buffer.concat([head, text]);
}

/** Tells a client that its connection is in no transaction. */
export const READY = Buffer.from("Z\0\0\0\x05I", "latin1");

/** The texts at the begin of a message, each ended by a zero byte. */
export const textsOf = (body: Buffer): string[] => body.toString("utf8").split("\0");
