import { once } from "node:events";
import { createServer, request as callStorage, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { aGate } from "./gate.js";

/** What becomes of one PUT. */
export type Fate =
  /** As if nothing were wrong. */
  | { kind: "passed" }
  /** Nothing of it is read until `release()`. */
  | { kind: "held" }
  /** Storage gets the first bytes; then the connection is gone. */
  | { kind: "cut"; afterBytes: number }
  /** Storage gets all bytes, and its answer is lost. */
  | { kind: "unanswered" }
  /** Storage gets the first bytes; then nothing moves, and nobody hangs up. */
  | { kind: "stalled"; afterBytes: number }
  /** Read whole and thrown away, and answered so. */
  | { kind: "answered"; status: number; body?: string; headers?: Record<string, string>; cors?: boolean };

export interface Put {
  path: string;
  /** Bytes that reached this proxy. */
  bytes: number;
  /** Of the answer; 0 when there was none. */
  status: number;
}

export interface FaultyStorage {
  url: string;
  /** In the order in which they came. */
  puts: Put[];
  /** The next PUTs meet these, in this order; later ones go through. */
  next(...fates: Fate[]): void;
  /** Every PUT from now on is held. */
  hold(): void;
  /** Lets all go on that are held, and holds no more. */
  release(): void;
  /** Hangs up on everybody, as a pulled plug does. */
  cut(): void;
  stop(): Promise<void>;
}

/** A proxy before the store: the browser PUTs to it, and the store's own answers, CORS headers too, come back through it. */
export async function startFaultyStorage(storeUrl: string): Promise<FaultyStorage> {
  const { host, hostname, port } = new URL(storeUrl);
  const puts: Put[] = [];
  let fates: Fate[] = [];
  const gate = aGate();
  gate.close();
  let isHolding = false;

  const forward = (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    put: Put | undefined,
    limit: number,
  ) => {
    // The signature covers the host, so the store must see its own.
    const call = callStorage({
      hostname,
      port,
      method: incoming.method,
      path: incoming.url,
      headers: { ...incoming.headers, host },
    });
    call.on("error", () => outgoing.destroy());
    outgoing.on("close", () => call.destroy());
    call.on("response", (answer) => {
      if (put) put.status = answer.statusCode ?? 0;
      const { connection: _, ...headers } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, headers);
      answer.pipe(outgoing);
    });
    let read = 0;
    incoming.on("data", (chunk: Buffer) => {
      const room = limit - read;
      read += chunk.length;
      if (put) put.bytes = read;
      if (chunk.length < room) return void (call.write(chunk) || pauseUntilDrained(incoming, call));
      if (room > 0) call.write(chunk.subarray(0, room));
      incoming.pause();
      incoming.emit("limit");
    });
    incoming.on("end", () => call.end());
    if (limit === 0) process.nextTick(() => incoming.emit("limit"));
  };

  const server = createServer((incoming, outgoing) => {
    // A browser sends a request again by itself when a connection that it used before is gone: the page would see no cut.
    outgoing.shouldKeepAlive = false;
    incoming.on("error", () => undefined);
    if (incoming.method !== "PUT") return forward(incoming, outgoing, undefined, Number.POSITIVE_INFINITY);
    const put: Put = {
      path: decodeURIComponent(new URL(incoming.url!, storeUrl).pathname),
      bytes: 0,
      status: 0,
    };
    puts.push(put);
    const fate: Fate | undefined = isHolding ? { kind: "held" } : fates.shift();
    switch (fate?.kind) {
      case undefined:
      case "passed":
        return forward(incoming, outgoing, put, Number.POSITIVE_INFINITY);
      case "held":
        return void gate.pass().then(() => forward(incoming, outgoing, put, Number.POSITIVE_INFINITY));
      case "unanswered":
        outgoing.writeHead = () => outgoing.destroy();
        return forward(incoming, outgoing, put, Number.POSITIVE_INFINITY);
      case "cut":
        incoming.once("limit", () => incoming.socket.destroy());
        return forward(incoming, outgoing, put, fate.afterBytes);
      case "stalled":
        return forward(incoming, outgoing, put, fate.afterBytes);
      case "answered":
        incoming.resume();
        put.status = fate.status;
        return void incoming.on("end", () => {
          const cors = fate.cors === false ? {} : { "access-control-allow-origin": "*" };
          outgoing.writeHead(fate.status, { "content-type": "application/xml", ...cors, ...fate.headers });
          outgoing.end(fate.body);
        });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    puts,
    next: (...more) => void (fates = more),
    hold: () => void (isHolding = true),
    release() {
      isHolding = false;
      gate.open();
      gate.close();
    },
    cut: () => server.closeAllConnections(),
    async stop() {
      gate.open();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function pauseUntilDrained(incoming: IncomingMessage, call: NodeJS.WritableStream): void {
  incoming.pause();
  call.once("drain", () => incoming.resume());
}
