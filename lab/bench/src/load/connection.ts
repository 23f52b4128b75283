import { connect, type Socket } from "node:net";

/**
 * A keep-alive connection with just enough HTTP/1.1: one request at a time, answers with a Content-Length. Every client library uses
 * more CPU than the database that shares the core.
 */
export class Connection {
  readonly #socket: Socket;
  #waiting: ((status: number) => void) | null = null;
  #received: Buffer = Buffer.alloc(0);

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (chunk) => this.#take(chunk));
    socket.on("error", () => this.#answer(0));
    socket.on("close", () => this.#answer(0));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: "127.0.0.1", noDelay: true });
      socket.once("error", reject);
      socket.once("connect", () => resolve(new Connection(socket)));
    });
  }

  /** @returns the status; 0 if the connection ended first */
  send(request: string): Promise<number> {
    return new Promise((resolve) => {
      this.#waiting = resolve;
      if (this.#socket.destroyed) this.#answer(0);
      else this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const headEnd = this.#received.indexOf("\r\n\r\n");
    if (headEnd < 0) return;
    const head = this.#received.toString("latin1", 0, headEnd);
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (this.#received.length < headEnd + 4 + length) return;
    this.#received = Buffer.alloc(0);
    this.#answer(Number(head.slice(9, 12)));
  }

  #answer(status: number): void {
    const answer = this.#waiting;
    this.#waiting = null;
    answer?.(status);
  }
}
