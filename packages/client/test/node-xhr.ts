import { type ClientRequest, type IncomingMessage, request } from "node:http";

const CHUNK_BYTES = 64 * 1024;

/**
 * The part of XMLHttpRequest that an upload needs, over node:http. Its events follow https://xhr.spec.whatwg.org: progress
 * and load of the upload, then load or error; no event after abort.
 */
export class NodeXhr {
  upload: { onprogress?: (event: { loaded: number; total: number }) => void; onload?: () => void } = {};
  onload?: () => void;
  onerror?: () => void;
  status = 0;
  responseText = "";
  #method = "";
  #url = "";
  #headers: [string, string][] = [];
  #request: ClientRequest | undefined;
  #response: IncomingMessage | undefined;
  #isFinished = false;

  open(method: string, url: string) {
    this.#method = method;
    this.#url = new URL(url).href;
  }

  setRequestHeader(name: string, value: string) {
    this.#headers.push([name, value]);
  }

  getAllResponseHeaders(): string {
    const headers = Object.entries(this.#response?.headers ?? {});
    return headers.map(([name, value]) => `${name}: ${String(value)}\r\n`).join("");
  }

  send(body: Blob | ArrayBuffer | Uint8Array<ArrayBuffer>) {
    const file = body instanceof Blob ? body : new Blob([body]);
    const headers = Object.fromEntries([...this.#headers, ["Content-Length", String(file.size)]]);
    this.#request = request(this.#url, { method: this.#method, headers, agent: false });
    this.#request.on("response", (response) => {
      this.#response = response;
      response.setEncoding("utf8").on("data", (text: string) => (this.responseText += text));
      response.on("end", () => {
        this.status = response.statusCode ?? 0;
        this.#finish(this.onload);
      });
      response.on("error", () => this.#finish(this.onerror));
    });
    this.#request.on("error", () => this.#finish(this.onerror));
    void this.#sendChunks(file, this.#request);
  }

  abort() {
    this.#isFinished = true;
    this.#request?.destroy();
  }

  async #sendChunks(file: Blob, outgoing: ClientRequest) {
    for (let start = 0; start < file.size && !this.#isFinished; start += CHUNK_BYTES) {
      const chunk = new Uint8Array(await file.slice(start, start + CHUNK_BYTES).arrayBuffer());
      await new Promise<void>((resolve) => outgoing.write(chunk, () => resolve()));
      if (this.#isFinished) return;
      this.upload.onprogress?.({ loaded: start + chunk.length, total: file.size });
    }
    if (this.#isFinished) return;
    outgoing.end();
    this.upload.onload?.();
  }

  #finish(event: (() => void) | undefined) {
    if (this.#isFinished) return;
    this.#isFinished = true;
    event?.();
  }
}
