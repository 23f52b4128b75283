import { expect, inject, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { aService } from "../fixtures/a-service.js";
import { anUpload } from "../fixtures/call.js";
import { aCountingProxy } from "../fixtures/counting-proxy.js";

test("an upload request is one round trip to the database, for a new tenant and for an old one", async () => {
  const proxy = await aCountingProxy(inject("servers").DATABASE_URL);
  const service = await aService({ DATABASE_URL: proxy.url, DATABASE_POOL_SIZE: "1" });
  const { apiKey } = await aProject();
  const upload = (tenant_id: string) =>
    anUpload(service.url, apiKey, { tenant_id, filename: "a.txt", size: 1 });
  await upload("first"); // connects, and prepares the statement
  const before = proxy.roundTrips();
  await upload("first");
  await upload("second");
  await upload("third");
  expect(proxy.roundTrips() - before).toBe(3);
  await service.close();
  proxy.close();
});
