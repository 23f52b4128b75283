import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { type MetricsServer, serveMetrics } from "./serve-metrics.js";

const opened: MetricsServer[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

async function serve(metrics: () => Promise<string>, requestMs?: number): Promise<MetricsServer> {
  const source = { contentType: "text/plain; version=0.0.4", metrics };
  const server = await serveMetrics(source, { host: "127.0.0.1", port: 0, ...(requestMs && { requestMs }) });
  opened.push(server);
  return server;
}

function open({ url }: MetricsServer): Socket {
  const socket = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => undefined);
  sockets.push(socket);
  return socket;
}

test("scrapes at the same time share one rendering", async () => {
  let arrived = 0;
  const countArrived = () => void arrived++;
  subscribe("http.server.request.start", countArrived);
  onTestFinished(() => void unsubscribe("http.server.request.start", countArrived));
  let renderings = 0;
  const { url } = await serve(async () => {
    renderings++;
    await expect.poll(() => arrived).toBeGreaterThanOrEqual(3);
    return `renderings ${renderings}\n`;
  });
  const answers = await Promise.all([fetch(url), fetch(url), fetch(url)]);
  expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(Array(3).fill("renderings 1\n"));
  expect(answers[0]!.headers.get("content-type")).toBe("text/plain; version=0.0.4");
  expect(await (await fetch(url)).text()).toBe("renderings 2\n");
});

test("answers 500 if the metrics cannot be read, and continues", async () => {
  let isBroken = true;
  const { url } = await serve(async () => {
    if (isBroken) throw new Error("broken");
    return "fine 1\n";
  });
  expect((await fetch(url)).status).toBe(500);
  isBroken = false;
  expect((await fetch(url)).status).toBe(200);
});

test("closes the connections beyond twenty", async () => {
  const server = await serve(async () => "");
  const first = Array.from({ length: 20 }, () => open(server));
  await Promise.all(first.map((socket) => once(socket, "connect")));
  const further = open(server);
  await once(further, "close");
  expect(first.filter((socket) => socket.destroyed)).toEqual([]);
});

test("ends a request that does not arrive in time", async () => {
  const server = await serve(async () => "", 100);
  const socket = open(server);
  socket.write("GET /metrics HTTP/1.1\r\nHost: a\r\n");
  let answer = "";
  socket.on("data", (chunk: Buffer) => (answer += chunk.toString()));
  await once(socket, "close");
  expect(answer).toContain("408");
});
