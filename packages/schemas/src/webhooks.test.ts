import { expect, test } from "vitest";
import { webhookEvent, webhookEventSummaries, webhookEventTypes } from "./webhooks.js";

const file = {
  file_path: "projects/p/tenants/t/1_a.txt",
  tenant_id: "user_1",
  filename: "a.txt",
  content_type: "text/plain",
  size: 3,
  status: "stored",
  etag: '"e"',
  metadata: {},
  folder: "",
  created_at: "2026-01-01T00:00:00.000Z",
  stored_at: "2026-01-01T00:00:01.000Z",
};
const timestamp = "2026-01-01T00:00:01.000Z";

test("an endpoint can choose every event except webhook.test", () => {
  const sent = webhookEvent.options.map(({ shape }) => shape.type.value);
  expect(sent).toEqual([...webhookEventTypes, "webhook.test"]);
  expect(Object.keys(webhookEventSummaries)).toEqual(sent);
});

test("the data of a file's event is the file and its project", () => {
  const event = { type: "file.stored", timestamp, data: { ...file, project_ref: "p" } };
  expect(webhookEvent.parse(event)).toEqual(event);
  expect(webhookEvent.safeParse({ ...event, data: file }).success).toBe(false);
});

test("the data of file.scanned has a verdict, which no other file event needs", () => {
  const data = { ...file, project_ref: "p", scan_status: "infected", signature: "Eicar-Test-Signature" };
  const event = { type: "file.scanned", timestamp, data };
  expect(webhookEvent.parse(event)).toEqual(event);
  expect(webhookEvent.safeParse({ ...event, data: { ...data, scan_status: "pending" } }).success).toBe(false);
});
