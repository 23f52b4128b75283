import { expect, inject, test } from "vitest";
import { aDatabase } from "../fixtures/a-database.js";
import { anOperator, anOwnedProject, DASHBOARD_URL } from "../fixtures/a-person.js";
import { aProcess } from "../fixtures/a-process.js";

test("a subscriber that disconnects at its first event does not end the service", async () => {
  const database = await aDatabase();
  const settings = { ...inject("servers"), DATABASE_URL: database.url, PORT: "0", DASHBOARD_URL };
  const service = await aProcess({ ...settings, TRUSTED_PROXIES: "127.0.0.1" });
  try {
    const owner = await anOperator(service.url, { isAdmin: true, databaseUrl: database.url });
    const { projectRef } = await anOwnedProject(owner);
    const leaveAtFirstEvent = async () => {
      const leaving = new AbortController();
      const events = owner.subscribe("overview.uploads", { projectRef }, leaving.signal);
      const reading = (async () => {
        for await (const { event } of events) if (event !== "ping") leaving.abort();
      })();
      await reading.catch(() => undefined);
    };
    for (let round = 0; round < 40; round++) {
      await Promise.all(Array.from({ length: 4 }, leaveAtFirstEvent));
    }
    expect(service.child.exitCode).toBeNull();
    const health = await fetch(`${service.url}/healthz`, { signal: AbortSignal.timeout(60_000) });
    expect(health.status).toBe(200);
  } finally {
    await service.kill();
    await database.drop();
  }
});
