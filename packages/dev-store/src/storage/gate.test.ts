import { expect, test } from "vitest";
import { createGate } from "./gate.js";

const aGate = () => createGate(() => new Error("closed"));

/** A change that the test ends. */
function aChange() {
  let end = (): void => {};
  const ended = new Promise<string>((resolve) => {
    end = () => resolve("done");
  });
  return { run: () => ended, end: () => end() };
}

test("removes only after the running changes, and refuses later ones", async () => {
  const gate = aGate();
  const order: string[] = [];
  const change = aChange();
  const changed = gate.enter(change.run).then((text) => order.push(text));
  const removed = gate.close(async () => void order.push("removed"));
  const late = gate.enter(async () => order.push("late"));
  change.end();
  await Promise.all([changed, removed]);
  await expect(late).rejects.toThrow("closed");
  await expect(gate.close(async () => {})).rejects.toThrow("closed");
  expect(order).toEqual(["done", "removed"]);
});

test("stays open if the removal fails, and then runs the changes that waited", async () => {
  const gate = aGate();
  const removed = gate.close(() => Promise.reject(new Error("not empty")));
  const waiting = gate.enter(async () => "ran");
  await expect(removed).rejects.toThrow("not empty");
  expect(await waiting).toBe("ran");
});

test("does not wait for a change that fails, and passes its error on", async () => {
  const gate = aGate();
  const failing = gate.enter(() => Promise.reject(new Error("disk full")));
  await Promise.all([expect(failing).rejects.toThrow("disk full"), gate.close(async () => {})]);
});

test("lets no change run beside a removal that waited with it", async () => {
  const gate = aGate();
  let isRemoving = false;
  const remove = async (): Promise<void> => {
    isRemoving = true;
    await new Promise((resolve) => setImmediate(resolve));
    isRemoving = false;
    throw new Error("not empty");
  };
  const removals = [1, 2, 3].map(() => gate.close(remove));
  const changes = [1, 2, 3].map(() => gate.enter(async () => isRemoving));
  await Promise.allSettled(removals);
  expect(await Promise.all(changes)).toEqual([false, false, false]);
});

test("removes once if two calls remove at the same time", async () => {
  const gate = aGate();
  let count = 0;
  const calls = [1, 2].map(() => gate.close(async () => void count++));
  expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(count).toBe(1);
});
