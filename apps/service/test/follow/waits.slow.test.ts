import { afterAll, beforeAll, expect, test } from "vitest";
import { createEventWaits } from "#follow/event-waits.js";
import { aWorld, type World } from "../fixtures/a-world.js";

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.close());

const aDay = 24 * 60 * 60 * 1000;

async function someWaits(count: number) {
  const { id } = await world.project();
  await world.rows("insert into event_logs (project_id, last_position) values ($1, 5)", [id]);
  const waits = createEventWaits({ db: world.deps.db, onError: world.deps.onError });
  const caller = new AbortController();
  const wait = (seen = 5, signal = caller.signal) => waits.wait(id, { seen, waitMs: aDay, signal });
  const waiting = Array.from({ length: count }, () => wait());
  return { id, waits, caller, wait, waiting };
}

test("the 21st request of a project is refused, until another one leaves", async () => {
  const { waits, caller, wait, waiting } = await someWaits(20);
  expect(() => wait()).toThrow(expect.objectContaining({ code: "too_many_requests", retryAfterSeconds: 5 }));
  const other = await world.project();
  const ofOther = waits.wait(other.id, { seen: 0, waitMs: aDay, signal: caller.signal });
  caller.abort();
  expect(await Promise.all([...waiting, ofOther])).toEqual(Array.from({ length: 21 }, () => false));
  const again = wait(5, new AbortController().signal);
  waits.close();
  expect(await again).toBe(false);
});

test("a wait ends when the project has a later position, or an event without a position", async () => {
  const { id, wait, waits, waiting } = await someWaits(2);
  await world.rows("update event_logs set last_position = 6 where project_id = $1", [id]);
  expect(await Promise.all(waiting)).toEqual([true, true]);
  const later = wait(6);
  await world.rows(
    `insert into webhook_outbox (project_id, position, type, at, wanted_by, skipped_by, rows, by_tenant)
     values ($1, now(), 'file.stored', now(), '{}', '{}', '[]', '{}')`,
    [id],
  );
  expect(await later).toBe(true);
  waits.close();
});

test("a wait ends at its time, and one that begins after the end of the process ends at once", async () => {
  const { id, waits, caller, wait } = await someWaits(0);
  expect(await waits.wait(id, { seen: 5, waitMs: 1, signal: caller.signal })).toBe(false);
  waits.close();
  expect(await wait()).toBe(false);
});
