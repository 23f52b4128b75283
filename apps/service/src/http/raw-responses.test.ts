import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { trackRequests } from "./connections.js";
import { refuseConnectAndExpect, renderClientError } from "./raw-responses.js";

const open: { close(): void }[] = [];
afterEach(() => {
  for (const { close } of open.splice(0)) close();
});

/** Starts a server that answers each request with its path. A request for `/later` is answered when the test says so. */
async function aServer(): Promise<{ server: Server; answerLater(): Promise<void> }> {
  const waiting: ServerResponse[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === "/later") waiting.push(response);
    // Waits for the body, as a route that parses it.
    else if (request.url === "/reads")
      request.on("data", () => undefined).on("end", () => response.end("reads"));
    else response.end(request.url);
  };
  const server = createServer({ connectionsCheckingInterval: 20 }, answer);
  server.on("clientError", renderClientError);
  trackRequests(server);
  refuseConnectAndExpect(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push({
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  });
  const answerLater = async () => {
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    waiting.shift()!.end("/later");
  };
  return { server, answerLater };
}

interface Client {
  socket: Socket;
  received(): string;
  /** The statuses of all responses, when the server has closed the connection. */
  statuses(): Promise<number[]>;
}

async function aClient(server: Server): Promise<Client> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => undefined);
  open.push({ close: () => socket.destroy() });
  let received = "";
  socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
  await once(socket, "connect");
  return {
    socket,
    received: () => received,
    async statuses() {
      // Not `once`, which rejects when the client's own write fails: the server reads only a part of a long request.
      if (!socket.closed) await new Promise((resolve) => socket.once("close", resolve));
      return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
    },
  };
}

/** Ends the time for the headers of a request. It has no end before, because requests may take long on a busy machine. */
const endHeadersTime = (server: Server) => void (server.headersTimeout = 1);

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${body}`;
const LARGE_HEADERS = `GET / HTTP/1.1\r\nHost: x\r\nX: ${"y".repeat(20_000)}\r\n\r\n`;
const INVALID_BODY = "5\r\nhello\r\nzz\r\n";

const invalidRequests: [what: string, bytes: string, status: number][] = [
  ["a request with too large headers", LARGE_HEADERS, 431],
  ["bytes that are not HTTP", "hello\r\n\r\n", 400],
  ["a request that never ends", "GET / HTTP/1.1\r\nHost: x\r\n", 408],
  ["a body that is not valid", post("/reads", INVALID_BODY), 400],
];

describe.each(invalidRequests)("%s", (_what, bytes, status) => {
  test("gets its answer as the first request of a connection", async () => {
    const { server } = await aServer();
    const client = await aClient(server);
    client.socket.write(bytes);
    if (status === 408) endHeadersTime(server);
    expect(await client.statuses()).toEqual([status]);
    const [head = "", body = ""] = client.received().split("\r\n\r\n");
    expect(head).toMatch(/\r\nX-Request-Id: \S{36}\r\nX-Error-Code: invalid_request\r\n/);
    expect(head).toContain("\r\nConnection: close");
    expect(Object.keys(JSON.parse(body) as object)).toEqual(["detail"]);
  });

  test("gets its answer on a connection whose earlier requests are answered", async () => {
    const { server } = await aServer();
    const client = await aClient(server);
    for (const path of ["/1", "/2"]) {
      client.socket.write(get(path));
      await expect.poll(client.received).toContain(`\r\n\r\n${path}`);
    }
    client.socket.write(bytes);
    if (status === 408) endHeadersTime(server);
    expect(await client.statuses()).toEqual([200, 200, status]);
  });

  test("gets its answer after those of the requests before it", async () => {
    const { server, answerLater } = await aServer();
    const client = await aClient(server);
    client.socket.write(get("/later") + get("/2") + bytes);
    await answerLater();
    if (status === 408) endHeadersTime(server);
    expect(await client.statuses()).toEqual([200, 200, status]);
    expect(client.received()).toMatch(/\/later[^]*\/2[^]*"detail"/);
  });
});

test("invalid bytes in the body of an answered request get no second answer", async () => {
  const { server } = await aServer();
  const client = await aClient(server);
  client.socket.write(post("/answered", "5\r\nhello\r\n"));
  await expect.poll(client.received).toContain("/answered");
  client.socket.write("zz\r\n");
  expect(await client.statuses()).toEqual([200]);
});

test("an answer reaches a client that keeps sending for some time", async () => {
  const { server } = await aServer();
  const client = await aClient(server);
  client.socket.write(get("/1"));
  await expect.poll(client.received).toContain("/1");
  // More than the buffers of the connection hold, so that the client still sends while the server answers.
  client.socket.write(`GET / HTTP/1.1\r\nHost: x\r\nX: ${"y".repeat(10_000_000)}\r\n\r\n`);
  expect(await client.statuses()).toEqual([200, 431]);
});

test("a client that keeps the connection open after its answer is disconnected", async () => {
  const { server } = await aServer();
  const socket = connect({
    port: (server.address() as AddressInfo).port,
    host: "127.0.0.1",
    allowHalfOpen: true,
  });
  open.push({ close: () => socket.destroy() });
  const [accepted] = (await once(server, "connection")) as [Socket];
  socket
    .resume()
    .on("error", () => undefined)
    .write("hello\r\n\r\n");
  await once(accepted, "close");
  expect(accepted.destroyed).toBe(true);
});

test("a request with an unknown Expect header is answered after the requests before it", async () => {
  const { server, answerLater } = await aServer();
  const client = await aClient(server);
  client.socket.write(`${get("/later")}GET / HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\n\r\n`);
  await answerLater();
  expect(await client.statuses()).toEqual([200, 417]);
});
