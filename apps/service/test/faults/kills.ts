import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { aServiceOnProxies } from "./a-service-on-proxies.js";
import { aFlakyReceiver, expectWebhooks } from "./expect-webhooks.js";
import { startLoad } from "./load.js";

/** Kills the service under load several times, each time at another moment, and checks that no acknowledged change is lost, and that a webhook tells of each. */
export async function expectNothingLost(kills: number): Promise<void> {
  const service = await aServiceOnProxies(10_000);
  const receiver = await aFlakyReceiver();
  try {
    const project = await service.project();
    const { secret } = await service.endpoint(project, receiver.url);
    const load = startLoad(service.url, project.apiKey);
    for (let kill = 0; kill < kills; kill++) {
      // After a completed upload the load is certainly running, also on a slow machine.
      await load.completesMore(1);
      await sleep((kill * 37) % 200);
      await service.restart();
    }
    await load.completesMore(1);
    await load.stop();
    expect(load.acknowledged.broken).toBeGreaterThan(0);
    await service.expectExact(project, load.acknowledged);
    await expectWebhooks(service, receiver, secret, load.acknowledged);
  } finally {
    await receiver.close();
    await service.close();
  }
}
