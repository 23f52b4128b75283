import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anApp } from "../../test/fixtures/an-app.js";

/*
 * Request smuggling: a proxy and the service disagree about where a request ends, so a part of one person's request becomes the
 * start of another person's. Such requests must be refused, and nothing behind them may be answered.
 */

let app: FastifyInstance;
beforeAll(async () => {
  app = await anApp({ dashboardDir: "none", docsDir: "none", version: "1.2.3" });
  await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => app.close());

/** Sends the bytes on one connection. @returns the statuses of all answers, when the service has closed the connection */
async function statusesOf(bytes: string): Promise<number[]> {
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  let received = "";
  socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
  socket.write(bytes, "latin1");
  await once(socket, "close");
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

const SMUGGLED = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
const post = (headers: string, body: string) =>
  `POST /auth/sign-out HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`;

test.each([
  [
    "Content-Length beside Transfer-Encoding",
    post("Content-Length: 4\r\nTransfer-Encoding: chunked", `0\r\n\r\n${SMUGGLED}`),
  ],
  [
    "Transfer-Encoding beside Content-Length",
    post("Transfer-Encoding: chunked\r\nContent-Length: 4", `0\r\n\r\n${SMUGGLED}`),
  ],
  ["two lengths", post("Content-Length: 0\r\nContent-Length: 50", SMUGGLED)],
  ["a list of lengths", post("Content-Length: 0, 50", SMUGGLED)],
  ["a length with a sign", post("Content-Length: +0", SMUGGLED)],
  ["an unknown transfer coding", post("Transfer-Encoding: xchunked", `0\r\n\r\n${SMUGGLED}`)],
  [
    "chunked that is not the last coding",
    post("Transfer-Encoding: chunked, identity", `0\r\n\r\n${SMUGGLED}`),
  ],
  [
    "two Transfer-Encoding headers",
    post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", `0\r\n\r\n${SMUGGLED}`),
  ],
  ["a blank before the colon", post("Transfer-Encoding : chunked", `0\r\n\r\n${SMUGGLED}`)],
  ["a folded header", post("Transfer-Encoding:\r\n chunked\r\nContent-Length: 4", `0\r\n\r\n${SMUGGLED}`)],
  ["a NUL in a header", post("X: a\0b\r\nContent-Length: 0", SMUGGLED)],
  ["a chunk length with a prefix", post("Transfer-Encoding: chunked", `0x0\r\n\r\n${SMUGGLED}`)],
  ["a bare line feed as the end of a chunk", post("Transfer-Encoding: chunked", `1\na\n0\n\n${SMUGGLED}`)],
])("refuses a request with %s, and answers nothing behind it", async (_what, bytes) => {
  const statuses = await statusesOf(bytes);
  expect(statuses).not.toContain(200);
  expect(statuses.length).toBeLessThanOrEqual(1);
});

test("answers both of two clear requests on one connection", async () => {
  expect(await statusesOf(post("Content-Length: 0", SMUGGLED))).toEqual([403, 200]);
});
