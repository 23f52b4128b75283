import { expect, inject, test } from "vitest";
import { anOutageProxy } from "../fixtures/an-outage-proxy.js";
import { aProcess } from "../fixtures/a-process.js";
import { aProject } from "../fixtures/a-project.js";
import { call } from "../fixtures/call.js";

test("six uploads at the moment at which a fresh replica listens are answered with 200, each time", async () => {
  const { apiKey } = await aProject();
  const body = { tenant_id: "t", filename: "a.txt", size: 5 };
  for (let start = 0; start < 3; start++) {
    const replica = await aProcess({ ...inject("servers"), PORT: "0", SWEEP_INTERVAL_MS: "0" });
    try {
      const uploads = Array.from({ length: 6 }, () =>
        call(`${replica.url}/api/storage/upload/`, { key: apiKey, body }),
      );
      expect((await Promise.all(uploads)).map(({ status }) => status)).toEqual(Array(6).fill(200));
      expect(replica.problems()).toEqual([]);
    } finally {
      await replica.kill();
    }
  }
});

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
