import type { Readable } from "node:stream";

/** The answer of an operation. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A stream needs a Content-Length header. It is always destroyed in the end. */
  readonly body?: string | Readable;
}

export function xmlReply(xml: string): Reply {
  return { status: 200, headers: { "Content-Type": "application/xml" }, body: xml };
}

export const NO_CONTENT: Reply = { status: 204 };
