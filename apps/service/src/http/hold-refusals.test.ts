import { expect, test } from "vitest";
import { createRefusalHold } from "./hold-refusals.js";

/** @returns how long the client's refusal was held, in ms */
async function timeHold(hold: (client: string) => Promise<void>, client: string): Promise<number> {
  const startedAt = performance.now();
  await hold(client);
  return performance.now() - startedAt;
}

test("the first refusals of a client are answered immediately, further ones in the same second are held", async () => {
  const hold = createRefusalHold(() => 0);
  for (let n = 0; n < 20; n++) expect(await timeHold(hold, "flood")).toBeLessThan(50);
  const heldMs = await timeHold(hold, "flood");
  expect(heldMs).toBeGreaterThan(100);
  expect(heldMs).toBeLessThan(1000);
  expect(await timeHold(hold, "another client")).toBeLessThan(50);
});

test("refusals are held, of any client, when all clients together have 500 in the same second", async () => {
  const hold = createRefusalHold(() => 0);
  for (let n = 0; n < 500; n++) expect(await timeHold(hold, `client ${n}`)).toBeLessThan(50);
  expect(await timeHold(hold, "another client")).toBeGreaterThan(100);
});

test("a long hold takes at least a second", async () => {
  const hold = createRefusalHold(() => 0);
  for (let n = 0; n < 20; n++) await hold("flood", "long");
  const startedAt = performance.now();
  await hold("flood", "long");
  expect(performance.now() - startedAt).toBeGreaterThan(950);
});

test("further refusals of one client take at least a second, and those of other clients do not", async () => {
  const hold = createRefusalHold(() => 0);
  const first = Promise.all(Array.from({ length: 200 }, () => timeHold(hold, "flood")));
  const further = Promise.all(Array.from({ length: 100 }, () => timeHold(hold, "flood")));
  const others = Promise.all(Array.from({ length: 300 }, (_, n) => timeHold(hold, `client ${n % 10}`)));
  expect(Math.max(...(await first))).toBeLessThan(900);
  expect(Math.min(...(await further))).toBeGreaterThan(950);
  expect(Math.max(...(await others))).toBeLessThan(900);
});

test("refusals take at least a second, of any client, when all clients together have 1,000 in the same second", async () => {
  const hold = createRefusalHold(() => 0);
  const first = Promise.all(Array.from({ length: 1000 }, (_, n) => timeHold(hold, `client ${n}`)));
  const further = timeHold(hold, "another client");
  expect(Math.max(...(await first))).toBeLessThan(900);
  expect(await further).toBeGreaterThan(950);
});

test("a client is answered immediately again in the next second", async () => {
  let nowMs = 0;
  const hold = createRefusalHold(() => nowMs);
  for (let n = 0; n < 20; n++) await hold("client");
  nowMs = 1001;
  expect(await timeHold(hold, "client")).toBeLessThan(50);
});

test("no more than a fixed number of refusals are held at the same time", async () => {
  const hold = createRefusalHold(() => 0);
  const held = Promise.all(Array.from({ length: 2020 }, () => hold("flood")));
  expect(await timeHold(hold, "flood")).toBeLessThan(50);
  await held;
});
