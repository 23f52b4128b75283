import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { aServiceOnProxies, CALL_TIMEOUT_MS, outages, OUTAGE_MS } from "./a-service-on-proxies.js";
import { startLoad } from "./load.js";

test.each(outages)(
  "the service answers 503 with Retry-After and loses nothing while the database %s",
  { timeout: 120_000 },
  async (_outage, interrupt) => {
    const service = await aServiceOnProxies(CALL_TIMEOUT_MS);
    try {
      const project = await service.project();
      const load = startLoad(service.url, project.apiKey);
      await load.completesMore(5);
      await interrupt(service.database);
      await sleep(OUTAGE_MS);
      await service.database.bringBack();
      await expect
        .poll(() => fetch(`${service.url()}/readyz`).then((answer) => answer.status), { timeout: 15_000 })
        .toBe(200);
      await load.completesMore(1);
      await load.stop();
      expect(load.acknowledged.unavailable).toBeGreaterThan(0);
      expect(load.acknowledged.broken).toBe(0);
      expect(load.acknowledged.slowestMs).toBeLessThan(3 * CALL_TIMEOUT_MS);
      await service.expectExact(project, load.acknowledged);
    } finally {
      await service.close();
    }
  },
);
