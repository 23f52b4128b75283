import { expect, test } from "vitest";
import { migrate } from "@stowage/service/src/db/migrate.js";
import { aServiceOnProxies } from "@stowage/service/test/faults/a-service-on-proxies.js";
import { startLoad } from "@stowage/service/test/faults/load.js";
import { aPatroniCluster } from "./a-patroni-cluster.js";
import { measureLongestGap } from "./measure-gap.js";

const CALL_TIMEOUT_MS = 2000;
const MAX_SWITCHOVER_MS = 15_000;
/** ttl, a turn of the loop, HAProxy's checks and the service's own limits. */
const MAX_FAILOVER_MS = 40_000;

test(
  "Patroni's switchover and the death of a primary lose nothing, and the old primary becomes a standby",
  { timeout: 400_000 },
  async () => {
    const cluster = await aPatroniCluster();
    try {
      await migrate(cluster.url, CALL_TIMEOUT_MS);
      const service = await aServiceOnProxies(CALL_TIMEOUT_MS, { url: cluster.url, drop: async () => {} });
      try {
        const project = await service.project();
        const load = startLoad(service.url, project.apiKey);
        await load.completesMore(20);
        const during = async (change: () => Promise<void>) => {
          const { acknowledged } = load;
          const before = acknowledged.unavailable;
          const gap = measureLongestGap(() => acknowledged.completed.size);
          await change();
          await load.completesMore(20);
          return { gapMs: gap.stop(), unavailable: acknowledged.unavailable - before };
        };
        const switchover = await during(() => cluster.switchOver());
        await cluster.isWhole();
        const dead = await cluster.primary();
        const failover = await during(() => dead.kill());
        await dead.start();
        await cluster.isWhole();
        expect((await cluster.standby()).name).toBe(dead.name);
        await load.completesMore(20);
        await load.stop();
        console.log(JSON.stringify({ switchover, failover, completed: load.acknowledged.completed.size }));
        expect(load.acknowledged.broken).toBe(0);
        expect(switchover.gapMs).toBeLessThan(MAX_SWITCHOVER_MS);
        expect(failover.gapMs).toBeLessThan(MAX_FAILOVER_MS);
        await service.expectExact(project, load.acknowledged);
      } finally {
        await service.close();
      }
    } finally {
      await cluster.close();
    }
  },
);
