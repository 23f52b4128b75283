import fc from "fast-check";

/** What one case sends on a connection of its own. */
export class FuzzCase {
  readonly pieces: readonly Buffer[];
  /** The method and the path of the first request, for the checks of its answer. */
  readonly method: string;
  readonly path: string;
  /** False: the bytes may be a part of a request, so the server may wait for more until the client ends. */
  readonly isComplete: boolean;
  readonly maxAnswers: number;

  constructor(request: {
    method: string;
    path: string;
    isComplete: boolean;
    pieces: Buffer[];
    /** @default Infinity */
    maxAnswers?: number | undefined;
  }) {
    this.method = request.method;
    this.path = request.path;
    this.isComplete = request.isComplete;
    this.pieces = request.pieces;
    this.maxAnswers = request.maxAnswers ?? Infinity;
  }

  /** fast-check prints a failed case with this: the bytes as a JSON string, one character per byte. */
  [fc.toStringMethod](): string {
    const MAX_LENGTH = 4000;
    const text = this.pieces.map((piece) => JSON.stringify(piece.toString("latin1"))).join("\n");
    return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}… (${text.length} characters)`;
  }
}

export interface HttpRequest {
  method: string;
  target: string;
  headers: [name: string, value: string][];
  body: Buffer;
  isChunked: boolean;
}

/** Writes a request as HTTP/1.1. The server closes the connection after its answer. Headers are written as Latin-1. */
export function toCase({ method, target, headers, body, isChunked }: HttpRequest): FuzzCase {
  const hasHost = headers.some(([name]) => name.toLowerCase() === "host");
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(hasHost ? [] : ["Host: 127.0.0.1"]),
    "Connection: close",
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...lengthOf(body, isChunked),
  ];
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  const pieces = body.length === 0 ? [head] : [Buffer.concat([head, isChunked ? toChunks(body) : body])];
  return new FuzzCase({ method, path: pathOf(target), isComplete: true, pieces });
}

/** The target of a request to a proxy is a whole URL, and servers accept it too (RFC 9112 section 3.2.2). */
function pathOf(target: string): string {
  return target.replace(/^https?:\/\/[^/]*/i, "").split(/[?#]/, 1)[0]!;
}

function lengthOf(body: Buffer, isChunked: boolean): string[] {
  if (body.length === 0) return [];
  return [isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${body.length}`];
}

function toChunks(body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n0\r\n\r\n")]);
}
