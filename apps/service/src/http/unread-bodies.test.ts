import { type AddressInfo, connect } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { FastifyInstance } from "fastify";
import { anApp } from "../../test/fixtures/an-app.js";

let app: FastifyInstance;
beforeAll(async () => {
  app = await anApp({ dashboardDir: "none", docsDir: "none", version: "1" });
  await app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(() => app.close());
afterEach(() => void vi.useRealTimers());

const CHUNKED = "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n";

test.each([
  ["in the middle of a chunked body", CHUNKED, ""],
  ["in the middle of a body of known length", "Content-Length: 100000\r\n\r\nhello", ""],
  ["after an invalid chunk", `${CHUNKED}zz\r\n`, ""],
  ["after an invalid chunk that follows the answer", CHUNKED, "zz\r\n"],
])("a refused request whose client ends %s is closed at once", async (_when, body, afterAnswer) => {
  // No time passes, so the connection is not closed because the client had its time to end it.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { port } = app.server.address() as AddressInfo;
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  let received = "";
  socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1"))).on("error", () => undefined);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.write(`POST /nothing HTTP/1.1\r\nHost: x\r\n${body}`);
  await expect.poll(() => received).toContain('"detail"');
  socket.end(afterAnswer);
  await closed;
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 404"]);
});
