import type { IncomingMessage, ServerResponse } from "node:http";
import { readStream } from "../read-json-body.js";
import { Leaving } from "./leaving.js";
import type { NodeBody } from "./node-body.js";

/**
 * A Node request as a Web request. Its signal and its body are made when somebody asks for them: most calls need neither, and
 * they would cost as much as all else.
 */
export class NodeRequest extends Request {
  readonly #message: IncomingMessage;
  readonly #leaving: Leaving;
  readonly #given: NodeBody | undefined;
  #isRead = false;
  #withBody: Request | undefined;

  constructor(message: IncomingMessage, response: ServerResponse, body?: NodeBody) {
    super(urlOf(message), { method: methodOf(message), headers: headersOf(message) });
    this.#message = message;
    this.#leaving = new Leaving(response);
    this.#given = /^(GET|HEAD)$/.test(this.method) ? undefined : body;
  }

  static {
    // Not as members of the class: to the compiler those of `Request` are fields, which no accessor may override.
    const { prototype } = this;
    const define = (name: string, get: (this: NodeRequest) => unknown) =>
      Object.defineProperty(prototype, name, { get, configurable: true });
    define("signal", function () {
      return this.#leaving.signal;
    });
    define("bodyUsed", function () {
      return this.#isRead || (this.#withBody?.bodyUsed ?? false);
    });
    for (const name of ["body", "clone", "arrayBuffer", "blob", "bytes", "formData", "json", "text"]) {
      define(name, function () {
        const whole = this.#whole();
        const member: unknown = Reflect.get(whole, name);
        return typeof member === "function" ? member.bind(whole) : member;
      });
    }
  }

  /** What it was made from; undefined for a request that is none of these. */
  static message(request: Request): IncomingMessage | undefined {
    return #message in request ? request.#message : undefined;
  }

  /** The client's leaving, without the signal of the Web. */
  static leaving(request: NodeRequest): Leaving {
    return request.#leaving;
  }

  /** Reads the body, past the stream of the Web where nobody has asked for that. */
  static read(request: NodeRequest, limitBytes: number): Promise<Uint8Array> {
    if (request.#given === undefined || request.#withBody) return readStream(request.body, limitBytes);
    request.#isRead = true;
    return request.#given.read(limitBytes);
  }

  #whole(): Request {
    if (this.#isRead) throw new TypeError("The body of this request has been read already");
    const { url, method, headers, signal } = this;
    const body = this.#given === undefined ? {} : { body: this.#given.web(), duplex: "half" as const };
    return (this.#withBody ??= new Request(url, { method, headers, signal, ...body }));
  }
}

// These three have no Web request (the Fetch standard forbids them), and no route here either.
function methodOf({ method = "GET" }: IncomingMessage): string {
  return /^(CONNECT|TRACE|TRACK)$/i.test(method) ? "OPTIONS" : method;
}

// Express rewrites `url` to what lies below the mount and keeps the whole in `originalUrl`.
function urlOf(message: IncomingMessage & { originalUrl?: string }): string {
  const scheme = "encrypted" in message.socket ? "https" : "http";
  const path = message.originalUrl ?? message.url ?? "/";
  const url = `${scheme}://${message.headers.host ?? "localhost"}${path}`;
  // A Host header, or a target like `*`, can be anything; the routes look at the path alone.
  return URL.canParse(url) && new URL(url).username === "" ? url : `${scheme}://localhost/`;
}

function headersOf({ rawHeaders }: IncomingMessage): [string, string][] {
  const headers: [string, string][] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    // HTTP/2 puts its pseudo-headers here too, and no Web request may carry one.
    if (!rawHeaders[index]!.startsWith(":")) headers.push([rawHeaders[index]!, rawHeaders[index + 1]!]);
  }
  return headers;
}
