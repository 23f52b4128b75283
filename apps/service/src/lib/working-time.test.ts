import { createServer, connect } from "node:net";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { limitWorkingTime } from "./working-time.js";

/** As a module that loads, or a container without CPU. */
function blockEventLoop(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

const afterLimit = (ms: number) =>
  new Promise<number>((resolve) => {
    const startedAt = performance.now();
    limitWorkingTime(ms, () => resolve(performance.now() - startedAt));
  });

test.each([20, 600])("a limit of %d ms ends after this time", async (ms) => {
  const took = await afterLimit(ms);
  expect(took).toBeGreaterThanOrEqual(ms - 2);
});

test("a time in which the event loop was blocked does not count", async () => {
  const ended = afterLimit(500);
  setImmediate(() => blockEventLoop(1500));
  expect(await ended).toBeGreaterThanOrEqual(1500);
});

test("an answer that arrived while the event loop was blocked is read before its limit ends", async () => {
  const server = createServer((socket) => socket.on("error", () => undefined).write("an answer")).listen(0);
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port);
  onTestFinished(() => void socket.destroy());
  const happened: string[] = [];
  const limit = limitWorkingTime(400, () => happened.push("the limit"));
  socket.once("data", () => happened.push("the answer"));
  // The block begins when the answer is on its way.
  socket.once("connect", () => blockEventLoop(1200));
  await expect.poll(() => happened.length).toBeGreaterThan(0);
  limit.clear();
  expect(happened).toEqual(["the answer"]);
});
