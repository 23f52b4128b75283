import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { migrate } from "@stowage/service/src/db/migrate.js";
import { aServiceOnProxies } from "@stowage/service/test/faults/a-service-on-proxies.js";
import { startLoad } from "@stowage/service/test/faults/load.js";
import { aReplicatedDatabase } from "@stowage/service/test/fixtures/a-replicated-database.js";
import { aHaProxy } from "./a-haproxy.js";
import { measureLongestGap } from "./measure-gap.js";

const CALL_TIMEOUT_MS = 2000;
const MAX_GAP_MS = 5000;
/** How long a cluster manager needs to see that the primary is dead. */
const DETECTION_MS = 1000;

test(
  "uploads continue within five seconds after the primary died, and nothing acknowledged is lost",
  {
    timeout: 240_000,
  },
  async () => {
    const { primary, standby, close } = await aReplicatedDatabase();
    const haproxy = await aHaProxy(primary.url, standby.url);
    try {
      await migrate(haproxy.url, CALL_TIMEOUT_MS);
      const service = await aServiceOnProxies(CALL_TIMEOUT_MS, { url: haproxy.url, drop: async () => {} });
      try {
        const project = await service.project();
        const load = startLoad(service.url, project.apiKey);
        await load.completesMore(20);
        const gap = measureLongestGap(() => load.acknowledged.completed.size);
        await primary.kill();
        await sleep(DETECTION_MS);
        await standby.promote();
        await load.completesMore(20);
        await load.stop();
        const gapMs = gap.stop();
        console.log(`no upload was completed for ${gapMs} ms`);
        expect(load.acknowledged.unavailable).toBeGreaterThan(0);
        expect(load.acknowledged.broken).toBe(0);
        expect(gapMs).toBeLessThan(MAX_GAP_MS);
        await service.expectExact(project, load.acknowledged);
      } finally {
        await service.close();
      }
    } finally {
      await haproxy.close();
      await close();
    }
  },
);
