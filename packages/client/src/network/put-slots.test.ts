import { expect, test } from "vitest";
import { createPutSlots } from "./put-slots.js";

const { signal } = new AbortController();

/** Starts PUTs that last until the test ends them. */
function aLine(maxPuts: number) {
  const slots = createPutSlots(() => maxPuts);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const put = (name: string, options = signal) =>
    slots.run(name[0]!, options, () => {
      started.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  /** Ends a PUT, and lets the next ones start. */
  async function end(name: string) {
    ends.get(name)?.();
    await new Promise((resolve) => setTimeout(resolve));
  }
  return { put, started, end };
}

test("a free slot goes to the file with the fewest PUTs in flight", async () => {
  const { put, started, end } = aLine(3);
  for (const name of ["a1", "a2", "a3", "a4", "b1", "b2", "c1"]) void put(name);
  await end("none");
  expect(started).toEqual(["a1", "a2", "a3"]);
  for (const name of ["a1", "a2", "a3"]) await end(name);
  expect(started.slice(3)).toEqual(["b1", "c1", "a4"]);
});

test("gives the slot back when a PUT fails, and forgets a PUT that is aborted while it waits", async () => {
  const slots = createPutSlots(() => 1);
  const failing = slots.run("a", signal, () => Promise.reject(new Error("cut")));
  const caller = new AbortController();
  const aborted = slots.run("b", caller.signal, async () => "never");
  const next = slots.run("c", signal, async () => "sent");
  caller.abort(new Error("cancelled"));
  await expect(failing).rejects.toThrow("cut");
  await expect(aborted).rejects.toThrow("cancelled");
  expect(await next).toBe("sent");
});
