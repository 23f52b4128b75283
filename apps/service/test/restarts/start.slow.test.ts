import { expect, inject, test } from "vitest";
import { anOutageProxy } from "../fixtures/an-outage-proxy.js";
import { aProcess } from "../fixtures/a-process.js";

test("a database that goes down right after the service listens does not end the service", async () => {
  const servers = inject("servers");
  const database = await anOutageProxy(servers.DATABASE_URL);
  // No question to the database is answered between the moment it listens and the outage.
  database.slowDown(100);
  const replica = await aProcess({
    ...servers,
    DATABASE_URL: database.url,
    PORT: "0",
    SWEEP_INTERVAL_MS: "0",
  });
  try {
    await database.takeDown();
    await expect
      .poll(replica.problems, { timeout: 20_000 })
      .toContainEqual(expect.stringContaining("it is not known whether there is an operator"));
    expect((await fetch(`${replica.url}/readyz`)).status).toBe(503);
    await database.bringBack();
    await expect
      .poll(async () => (await fetch(`${replica.url}/readyz`)).status, { timeout: 20_000 })
      .toBe(200);
    expect(replica.child.exitCode).toBeNull();
  } finally {
    await replica.kill();
    await database.close();
  }
});
