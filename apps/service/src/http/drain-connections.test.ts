import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { trackRequests } from "./connections.js";
import { trackConnections } from "./drain-connections.js";

const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
const closing = /^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)*?Connection: close\r\n/m;

async function aServer(listener: RequestListener) {
  const server = createServer(listener);
  trackRequests(server);
  const connections = trackConnections(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    await connections.close();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return {
    server,
    connections,
    open: async () => {
      const socket = connect(port, "127.0.0.1");
      let received = "";
      let hasFailed = false;
      const ended = new Promise((resolve) => socket.once("close", resolve));
      socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
      socket.on("error", () => (hasFailed = true));
      await once(socket, "connect");
      return { socket, ended, received: () => received, hasFailed: () => hasFailed };
    },
  };
}

/** Sends one request and waits for the first byte of its answer. */
async function ask(socket: Socket, bytes = GET): Promise<void> {
  const answered = once(socket, "data");
  socket.write(bytes);
  await answered;
}

test("an answer that was requested before the drain closes its connection", async () => {
  let answer = () => undefined as unknown;
  const { server, connections, open } = await aServer((_request, response) => {
    answer = () => response.end("ok");
  });
  const { socket, ended, received } = await open();
  const arrived = once(server, "request");
  socket.write(GET);
  await arrived;
  connections.startDraining();
  answer();
  await ended;
  expect(received()).toMatch(closing);
});

test("an idle connection stays open while the server drains, and its next answer closes it", async () => {
  const { connections, open } = await aServer((_request, response) => response.end("ok"));
  const { socket, ended, received } = await open();
  await ask(socket);
  expect(received()).not.toMatch(closing);
  connections.startDraining();
  await ask(socket);
  await ended;
  expect(received().match(/200 OK/g)).toHaveLength(2);
  expect(received()).toMatch(closing);
});

test("all pipelined requests are answered", async () => {
  const { connections, open } = await aServer((_request, response) => setImmediate(() => response.end("ok")));
  const { socket, ended, received } = await open();
  connections.startDraining();
  socket.write(GET.repeat(3));
  await ended;
  expect(received().match(/200 OK/g)).toHaveLength(3);
  expect(received().match(/Connection: close/g)).toHaveLength(1);
});

test("idle connections are closed without a reset when they were idle for the given time, and no earlier", async () => {
  const { connections, open } = await aServer((_request, response) => response.end("ok"));
  const used = await open();
  await ask(used.socket);
  const unused = await open();
  const startedAt = performance.now();
  await connections.close({ idleMs: 200 });
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(200);
  await Promise.all([used.ended, unused.ended]);
  expect([used.hasFailed(), unused.hasFailed()]).toEqual([false, false]);
});

test("a request whose header is arriving is answered", async () => {
  const { connections, open } = await aServer((_request, response) => response.end("ok"));
  const [first, reused] = [await open(), await open()];
  await ask(reused.socket);
  for (const { socket } of [first, reused]) socket.write(GET.slice(0, 20));
  // The other connection's answer proves that the server has read the bytes.
  await ask((await open()).socket);
  const closed = connections.close({ headersMs: 60_000 });
  await sleep(100);
  for (const { socket } of [first, reused]) socket.write(GET.slice(20));
  await Promise.all([closed, first.ended, reused.ended]);
  expect(first.received()).toMatch(closing);
  expect(reused.received()).toMatch(closing);
});

test("just before the server stops listening, answers keep their connections open", async () => {
  const { connections, open } = await aServer((_request, response) => response.end("ok"));
  connections.startDraining();
  const { socket, ended, received } = await open();
  // On a busy machine this test may take seconds, in which the connection must not be closed as an idle one.
  const closed = connections.close({ idleMs: 60_000, reuseMs: 500 });
  await ask(socket);
  expect(received()).not.toMatch(closing);
  await expect
    .poll(() =>
      open().then(
        (another) => void another.socket.destroy(),
        () => "refused",
      ),
    )
    .toBe("refused");
  await ask(socket);
  await Promise.all([ended, closed]);
  expect(received()).toMatch(closing);
});

test("an answer is sent completely to a client that reads slowly", async () => {
  const body = "x".repeat(16 * 1024 * 1024);
  const { connections, open } = await aServer((_request, response) => response.end(body));
  const { socket, ended, received } = await open();
  await ask(socket);
  socket.pause();
  const closed = connections.close();
  await sleep(100);
  socket.resume();
  await Promise.all([closed, ended]);
  expect(received().length).toBeGreaterThan(body.length);
});

test("a request whose body does not arrive is answered with 503, and one that is worked on is not", async () => {
  const answers: (() => unknown)[] = [];
  const { connections, open, server } = await aServer((_request, response) => {
    answers.push(() => response.end("ok"));
  });
  const [complete, unfinished] = [await open(), await open()];
  const arrives = async (socket: Socket, bytes: string) => {
    const arrived = once(server, "request");
    socket.write(bytes);
    await arrived;
  };
  await arrives(complete.socket, GET);
  await arrives(unfinished.socket, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n123");
  const closed = connections.close();
  connections.refuseUnfinishedRequests();
  await unfinished.ended;
  expect(unfinished.received()).toMatch(/^HTTP\/1\.1 503 .*\r\n(?:.*\r\n)*Retry-After: \d+\r\n/);
  expect(complete.received()).toBe("");
  answers[0]!();
  await Promise.all([complete.ended, closed]);
  expect(complete.received()).toMatch(closing);
});
