import { NodeXhr } from "./node-xhr.js";

/** A Blob of React Native: bytes that only XMLHttpRequest and Response can read. */
class PhoneBlob {
  // Not a private member: the methods of the browser's Blob must not work on it.
  readonly data: Blob;

  constructor(parts: (PhoneBlob | string)[] = [], { type = "" } = {}) {
    if (parts.some((part) => typeof part !== "string" && !(part instanceof PhoneBlob))) {
      throw new Error("Creating blobs from 'ArrayBuffer' and 'ArrayBufferView' are not supported");
    }
    this.data = new Blob(
      parts.map((part) => (typeof part === "string" ? part : part.data)),
      { type },
    );
  }

  get size() {
    return this.data.size;
  }

  get type() {
    return this.data.type;
  }

  slice(start?: number, end?: number, type?: string): PhoneBlob {
    return Object.assign(Object.create(PhoneBlob.prototype) as PhoneBlob, {
      data: this.data.slice(start, end, type),
    });
  }
}

class PhoneFile extends PhoneBlob {
  readonly name: string;
  readonly lastModified = 0;

  constructor(parts: (PhoneBlob | string)[], name: string, options?: { type?: string }) {
    super(parts, options);
    this.name = name;
  }
}

class PhoneXhr extends NodeXhr {
  override send(body: Parameters<NodeXhr["send"]>[0] | PhoneBlob) {
    super.send(body instanceof PhoneBlob ? body.data : body);
  }
}

class PhoneResponse {
  readonly #body: PhoneBlob;

  constructor(body: PhoneBlob) {
    this.#body = body;
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#body.data.arrayBuffer();
  }
}

/** React Native's URL has no `canParse`. */
class PhoneUrl extends URL {
  static override canParse = undefined as unknown as typeof URL.canParse;
}

/**
 * The globals of React Native 0.88 that the engine may use, in addition to those of the language. It has no DOM, no events of a window, no
 * `location`, `localStorage`, `indexedDB`, `crypto` and `Worker`, and Blobs without `stream` and `arrayBuffer`.
 */
export function phoneGlobals(log: (...texts: unknown[]) => void) {
  return {
    console: { log, warn: log, error: log, info: log },
    navigator: { product: "ReactNative" },
    performance: { now: () => performance.now() },
    setTimeout,
    clearTimeout,
    queueMicrotask,
    fetch,
    Headers,
    XMLHttpRequest: PhoneXhr,
    Blob: PhoneBlob,
    File: PhoneFile,
    Response: PhoneResponse,
    URL: PhoneUrl,
    URLSearchParams,
    AbortController,
    AbortSignal,
    DOMException,
    EventTarget,
    Event,
    TextEncoder,
    process: { env: { NODE_ENV: "development" } },
  };
}
