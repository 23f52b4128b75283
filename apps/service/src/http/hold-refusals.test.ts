import { expect, test } from "vitest";
import { createRefusalHold } from "./hold-refusals.js";

/** A hold whose refusals end when the test says so. A real time would depend on the machine's load. */
function aHold(now: () => number = () => 0) {
  const held: { ms: number; end: () => void }[] = [];
  const hold = createRefusalHold(now, (ms) => new Promise((resolve) => held.push({ ms, end: resolve })));
  /** @returns for how many ms the client's refusal is held. 0: it is answered immediately */
  const heldMs = (client: string, kind?: "long") => {
    const before = held.length;
    void hold(client, kind);
    return held[before]?.ms ?? 0;
  };
  const eachHeldMs = (count: number, client: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => heldMs(client(n)));
  return { hold, held, heldMs, eachHeldMs };
}

test("the first refusals of a client are answered immediately, further ones in the same second are held", () => {
  const { heldMs, eachHeldMs } = aHold();
  expect(Math.max(...eachHeldMs(20, () => "flood"))).toBe(0);
  const further = heldMs("flood");
  expect(further).toBeGreaterThan(100);
  expect(further).toBeLessThan(1000);
  expect(heldMs("another client")).toBe(0);
});

test("a held refusal is answered when its time is over", async () => {
  const { hold, held, eachHeldMs } = aHold();
  eachHeldMs(20, () => "flood");
  let isAnswered = false;
  const answered = hold("flood").then(() => (isAnswered = true));
  await new Promise(setImmediate);
  expect(isAnswered).toBe(false);
  held[0]!.end();
  expect(await answered).toBe(true);
});

test("refusals are held, of any client, when all clients together have 500 in the same second", () => {
  const { heldMs, eachHeldMs } = aHold();
  expect(Math.max(...eachHeldMs(500, (n) => `client ${n}`))).toBe(0);
  expect(heldMs("another client")).toBeGreaterThan(100);
});

test("a long hold takes at least a second", () => {
  const { heldMs, eachHeldMs } = aHold();
  eachHeldMs(20, () => "flood");
  expect(heldMs("flood", "long")).toBeGreaterThanOrEqual(1000);
});

test("further refusals of one client take at least a second, and those of other clients do not", () => {
  const { eachHeldMs } = aHold();
  expect(Math.max(...eachHeldMs(200, () => "flood"))).toBeLessThan(900);
  expect(Math.min(...eachHeldMs(100, () => "flood"))).toBeGreaterThanOrEqual(1000);
  expect(Math.max(...eachHeldMs(300, (n) => `client ${n % 10}`))).toBeLessThan(900);
});

test("refusals take at least a second, of any client, when all clients together have 1,000 in the same second", () => {
  const { heldMs, eachHeldMs } = aHold();
  expect(Math.max(...eachHeldMs(1000, (n) => `client ${n}`))).toBeLessThan(900);
  expect(heldMs("another client")).toBeGreaterThanOrEqual(1000);
});

test("a client is answered immediately again in the next second", () => {
  let nowMs = 0;
  const { heldMs, eachHeldMs } = aHold(() => nowMs);
  eachHeldMs(20, () => "client");
  nowMs = 1001;
  expect(heldMs("client")).toBe(0);
});

test("no more than a fixed number of refusals are held at the same time", async () => {
  const { held, heldMs, eachHeldMs } = aHold();
  eachHeldMs(2020, () => "flood");
  expect([held.length, heldMs("flood")]).toEqual([2000, 0]);
  held[0]!.end();
  await new Promise(setImmediate);
  expect(heldMs("flood")).toBeGreaterThanOrEqual(1000);
});
