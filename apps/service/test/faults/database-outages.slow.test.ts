import { expect, test } from "vitest";
import { aServiceOnProxies, CALL_TIMEOUT_MS, outages } from "./a-service-on-proxies.js";
import { startLoad, WORKERS } from "./load.js";

test.each(outages)(
  "the service answers 503 with Retry-After and loses nothing while the database %s",
  { timeout: 900_000 },
  async (_outage, interrupt) => {
    const service = await aServiceOnProxies(CALL_TIMEOUT_MS);
    try {
      const project = await service.project();
      const load = startLoad(service.url, project.apiKey);
      await load.completesMore(5);
      const refusedBefore = load.acknowledged.unavailable;
      await interrupt(service.database);
      // No caller waits for the end of the outage.
      await expect.poll(() => load.acknowledged.unavailable - refusedBefore).toBeGreaterThanOrEqual(WORKERS);
      await service.database.bringBack();
      await expect.poll(() => fetch(`${service.url()}/readyz`).then((answer) => answer.status)).toBe(200);
      await load.completesMore(1);
      await load.stop();
      expect(load.acknowledged.broken).toBe(0);
      await service.expectExact(project, load.acknowledged);
    } finally {
      await service.close();
    }
  },
);
