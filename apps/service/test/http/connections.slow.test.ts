import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { aService, type RunningService } from "../fixtures/a-service.js";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function aLimitedService(settings: Record<string, string> = {}): Promise<RunningService> {
  const service = await aService({ CONNECTIONS_PER_CLIENT: "3", TRUSTED_PROXIES: "192.0.2.99", ...settings });
  closers.push(() => service.close());
  return service;
}

/** Opens a connection, and waits until the service has accepted or closed it. */
async function open({ url }: RunningService, localAddress = "127.0.0.1"): Promise<Socket> {
  const { port } = new URL(url);
  const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress });
  closers.push(() => socket.destroy());
  await once(socket, "connect");
  return socket;
}

/** Sends a request over the connection and keeps it open. @returns the status of the answer, or "closed" */
async function ask(socket: Socket): Promise<number | "closed"> {
  socket.on("error", () => undefined);
  socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
  return new Promise((resolve) => {
    socket.once("data", (answer: Buffer) => resolve(Number(answer.toString("latin1", 9, 12))));
    socket.once("close", () => resolve("closed"));
    if (socket.destroyed) resolve("closed");
  });
}

test("closes new connections of a client that has too many, and serves its open ones and other clients", async () => {
  const service = await aLimitedService();
  const first = [await open(service), await open(service), await open(service)];
  for (const socket of first) expect(await ask(socket)).toBe(200);
  expect(await ask(await open(service))).toBe("closed");
  expect(await ask(await open(service))).toBe("closed");
  expect(await ask(await open(service, "127.0.0.2"))).toBe(200);
  for (const socket of first) expect(await ask(socket)).toBe(200);
  const warnings = service.log().match(/^.*CONNECTIONS_PER_CLIENT.*$/gm);
  expect(warnings).toEqual([expect.not.stringContaining("127.0.0.1")]);
});

test("accepts a client again when one of its connections is closed", async () => {
  const service = await aLimitedService();
  const [first] = [await open(service), await open(service), await open(service)];
  expect(await ask(await open(service))).toBe("closed");
  first.destroy();
  await expect.poll(async () => ask(await open(service))).toBe(200);
});

test.each(["127.0.0.1", "127.0.0.0/8", "::ffff:127.0.0.1"])(
  "a proxy of TRUSTED_PROXIES=%s has no limit",
  async (proxies) => {
    const service = await aLimitedService({ TRUSTED_PROXIES: proxies });
    const sockets = await Promise.all(Array.from({ length: 10 }, () => open(service)));
    for (const socket of sockets) expect(await ask(socket)).toBe(200);
  },
);

test("CONNECTIONS_PER_CLIENT=0 limits nothing", async () => {
  const service = await aLimitedService({ CONNECTIONS_PER_CLIENT: "0" });
  const sockets = await Promise.all(Array.from({ length: 10 }, () => open(service)));
  for (const socket of sockets) expect(await ask(socket)).toBe(200);
});
