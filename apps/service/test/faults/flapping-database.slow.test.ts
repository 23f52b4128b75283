import { setTimeout as sleep } from "node:timers/promises";
import type { StowageError } from "@stowage/schemas";
import { expect, inject, test } from "vitest";
import { openDatabase } from "#db/client.js";
import { anOutageProxy } from "../fixtures/an-outage-proxy.js";

const DURATION_MS = 6000;

// Vitest fails a run in which an error reaches no caller. In the service, such an error ends the process.
test("a database that goes away again and again fails only the callers' statements", async () => {
  const proxy = await anOutageProxy(inject("servers").DATABASE_URL);
  const db = openDatabase({ url: proxy.url, poolSize: 10, timeoutMs: 10_000 });
  const end = Date.now() + DURATION_MS;
  const counts = { answered: 0, unavailable: 0 };
  const callers = Array.from({ length: 30 }, async () => {
    while (Date.now() < end) {
      try {
        await db.execute("select $1::int", [1]);
        counts.answered++;
      } catch (error) {
        // A statement that waited while the database answered others of this owner is refused as too many.
        expect(["unavailable", "too_many_requests"]).toContain((error as StowageError).code);
        counts.unavailable++;
        await sleep(5);
      }
    }
  });
  while (Date.now() < end) {
    await proxy.takeDown();
    await sleep(Math.random() * 100);
    await proxy.bringBack();
    await sleep(Math.random() * 700);
  }
  await Promise.all(callers);
  await proxy.bringBack();
  expect(await db.execute("select 1 as one", [])).toEqual([{ one: 1 }]);
  expect(counts.answered).toBeGreaterThan(0);
  expect(counts.unavailable).toBeGreaterThan(0);
  await db.close();
  await proxy.close();
});
