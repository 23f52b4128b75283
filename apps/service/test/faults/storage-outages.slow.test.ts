import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { call } from "../fixtures/call.js";
import { aServiceOnProxies, CALL_TIMEOUT_MS, outages, OUTAGE_MS } from "./a-service-on-proxies.js";
import { startLoad } from "./load.js";

test.each(outages)(
  "the service answers completions with 503 and Retry-After and loses nothing while storage %s",
  { timeout: 900_000 },
  async (_outage, interrupt) => {
    const service = await aServiceOnProxies(CALL_TIMEOUT_MS);
    try {
      const project = await service.project();
      const load = startLoad(service.url, project.apiKey);
      await load.completesMore(5);
      await interrupt(service.storage);
      // The bytes of these uploads are in storage.
      const paths = [...load.acknowledged.completed.keys()].slice(0, 5);
      const answers = await Promise.all(
        paths.map((file_path) =>
          call(`${service.url()}/api/storage/complete/`, { key: project.apiKey, body: { file_path } }),
        ),
      );
      const unavailable = answers.filter((answer) => answer.status === 503);
      expect(unavailable.length).toBeGreaterThan(0);
      for (const { headers } of unavailable) expect(headers.has("retry-after")).toBe(true);
      await sleep(OUTAGE_MS);
      await service.storage.bringBack();
      await load.completesMore(1);
      await load.stop();
      await service.expectExact(project, load.acknowledged);
    } finally {
      await service.close();
    }
  },
);
