import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toExpressHandler } from "@stowage/server/express";
import { webhookHandler, type WebhookEvent } from "@stowage/server/webhooks";
import { webhookEventTypes } from "@stowage/schemas";
import express from "express";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aDatabase } from "../fixtures/a-database.js";
import { anOperator, anOwnedProject, type Person } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { anUpload, call, putBytes } from "../fixtures/call.js";

let database: Awaited<ReturnType<typeof aDatabase>>;
let service: RunningService;
let owner: Person;
beforeAll(async () => {
  database = await aDatabase();
  service = await aService({ DATABASE_URL: database.url, WEBHOOK_ALLOW_PRIVATE: "true" });
  owner = await anOperator(service.url, { databaseUrl: database.url });
  service.startJobs();
});
afterAll(async () => {
  await service?.close();
  await database?.drop();
});

/** An Express app of a customer with the adapter of `@stowage/server`. Its secret is known only after it has an address. */
async function aReceiver() {
  const received: WebhookEvent[] = [];
  const statuses: number[] = [];
  const app = express();
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  const keep = (event: WebhookEvent) => void received.push(event);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/stowage`,
    received,
    statuses,
    mount(secret: string) {
      const on = Object.fromEntries([...webhookEventTypes, "webhook.test"].map((type) => [type, keep]));
      app.use((_request, response, next) => {
        response.on("finish", () => statuses.push(response.statusCode));
        next();
      });
      app.post("/webhooks/stowage", toExpressHandler(webhookHandler({ secret, on })));
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

test("a customer's Express app receives and verifies what happens to an upload, also after its secret was replaced", async () => {
  await using receiver = await aReceiver();
  const { projectRef, apiKey } = await anOwnedProject(owner);
  const created = await owner.mutate<{ ref: string; secret: string }>("webhooks.create", {
    projectRef,
    url: receiver.url,
    events: ["file.stored", "file.deleted", "tenant.created"],
  });
  expect(created.status).toBe(200);
  receiver.mount(created.data.secret);
  const types = () => receiver.received.map(({ type }) => type).toSorted();

  const filename = "Ünï 文 🎈.txt";
  const metadata = { "10": "ten", "2": "two", own_key: 'a\u2028b\\"' };
  const upload = await anUpload(service.url, apiKey, { tenant_id: "user_42", filename, size: 3, metadata });
  expect(await putBytes(upload, Buffer.from("abc"))).toBe(200);
  const { file_path } = upload;
  const completed = await call<object>(`${service.url}/api/storage/complete/`, {
    key: apiKey,
    body: { file_path },
  });
  expect(completed.status).toBe(200);
  await expect.poll(types, { timeout: 20_000 }).toEqual(["file.stored", "tenant.created"]);
  const stored = receiver.received.find(({ type }) => type === "file.stored");
  expect(stored?.data).toMatchObject({
    projectRef,
    filePath: file_path,
    tenantId: "user_42",
    filename,
    size: 3,
    status: "stored",
    metadata,
  });

  // The receiver keeps the old secret, with which the service signs too for a day.
  const endpoint = { projectRef, endpointRef: created.data.ref };
  expect((await owner.mutate("webhooks.rotateSecret", endpoint)).status).toBe(200);
  expect((await owner.mutate("webhooks.sendTest", endpoint)).status).toBe(200);
  expect(
    (await call(`${service.url}/api/storage/delete/`, { key: apiKey, body: { file_path } })).status,
  ).toBe(200);
  await expect
    .poll(types, { timeout: 20_000 })
    .toEqual(["file.deleted", "file.stored", "tenant.created", "webhook.test"]);

  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(4);
  expect(receiver.statuses).toEqual([204, 204, 204, 204]);
  expect(service.log()).not.toContain(created.data.secret);
});
