import { expect, test } from "vitest";
import { createSlots, LineIsFull } from "./slots.js";

const never = new AbortController().signal;

test("runs as many at once as there are places, the others in the order in which they came", async () => {
  const slots = createSlots(2, 10);
  const log: string[] = [];
  const releases: (() => void)[] = [];
  const work = (name: string) => () => {
    log.push(name);
    return new Promise<void>((resolve) => releases.push(resolve));
  };
  const all = ["a", "b", "c", "d"].map((name) => slots.run(work(name), never));
  await Promise.resolve();
  expect(log).toEqual(["a", "b"]);
  releases[1]!();
  await all[1];
  expect(log).toEqual(["a", "b", "c"]);
  releases[0]!();
  releases[2]!();
  await Promise.all([all[0], all[2]]);
  expect(log).toEqual(["a", "b", "c", "d"]);
  releases[3]!();
  await all[3];
});

test("never runs what left the line, and gives its place to the next", async () => {
  const slots = createSlots(1, 10);
  let release = () => {};
  const first = slots.run(() => new Promise<void>((resolve) => (release = resolve)), never);
  const impatient = new AbortController();
  let ran = false;
  const second = slots.run(async () => void (ran = true), impatient.signal);
  const third = slots.run(async () => "third", never);
  impatient.abort(new Error("too late"));
  await expect(second).rejects.toThrow("too late");
  release();
  await first;
  expect(await third).toBe("third");
  expect(ran).toBe(false);
});

test("turns away who finds the line full, and frees the place of work that failed", async () => {
  const slots = createSlots(1, 1);
  let fail = (_error: Error) => {};
  const first = slots.run(() => new Promise<void>((_, reject) => (fail = reject)), never);
  const second = slots.run(async () => "second", never);
  await expect(slots.run(async () => "third", never)).rejects.toThrow(LineIsFull);
  fail(new Error("no"));
  await expect(first).rejects.toThrow("no");
  expect(await second).toBe("second");
});
