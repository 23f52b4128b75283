import { setTimeout as sleep } from "node:timers/promises";
import { followEventsResponse, type FollowEventsResponse } from "@stowage/schemas";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aNewKeyFor, aProject } from "../fixtures/a-project.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { aStoredFile } from "../fixtures/a-stored-file.js";
import { call } from "../fixtures/call.js";
import { queryDatabase } from "../fixtures/direct-access.js";

let service: RunningService;
let replica: RunningService;
beforeAll(async () => {
  [service, replica] = await Promise.all([aService(), aService()]);
});
afterAll(() => Promise.all([service.close(), replica.close()]));

const events = (key: string, query: Record<string, string> = {}, at = service) =>
  call<FollowEventsResponse & { detail: string }>(
    `${at.url}/api/storage/events/?${new URLSearchParams(query).toString()}`,
    { key },
  );
const store = (key: string, tenantId = "t") =>
  aStoredFile(service.url, key, { tenant_id: tenantId, bytes: "hello" });

/** Reads until there are no more, and returns the cursor. */
async function cursorOf(key: string): Promise<string> {
  for (let after: string | undefined; ;) {
    const { body } = await events(key, after === undefined ? {} : { after });
    after = body.next_cursor;
    if (body.events.length === 0) return after;
  }
}

test("the answer has the events of webhooks with their ids, and only those of the key's project", async () => {
  const [{ apiKey }, other] = [await aProject(), await aProject()];
  const { file_path } = await store(apiKey);
  await store(other.apiKey, "stranger");
  const { status, body } = await events(apiKey);
  expect(status).toBe(200);
  followEventsResponse.strict().parse(body);
  expect(body.events.map(({ type, data }) => [type, data["tenant_id"], data["file_path"]])).toEqual([
    ["tenant.created", "t", undefined],
    ["file.stored", "t", file_path],
  ]);
  expect((await events(apiKey, { after: body.next_cursor })).body).toEqual({
    events: [],
    next_cursor: body.next_cursor,
  });
});

test.each([
  ["limit", "0", "limit must be at least 1"],
  ["limit", "1001", "limit must be at most 1000"],
  ["limit", "1.5", "limit must be a whole number"],
  ["limit", "x", "limit must be a number"],
  ["wait", "26", "wait must be at most 25 seconds"],
  ["wait", "-1", "wait must be at least 0 seconds"],
  ["wait", "x", "wait must be a number of seconds"],
  ["after", "x", "cursor is not valid"],
  ["after", "\0", "cursor is not valid"],
  ["types", "file.made", "types must be some of file.stored, "],
  ["types", "", "types must be some of file.stored, "],
  ["types", "webhook.test", "types must be some of file.stored, "],
])("refuses %s=%j", async (name, value, detail) => {
  const { apiKey } = await aProject();
  const { status, body } = await events(apiKey, { [name]: value });
  expect([status, body.detail]).toEqual([400, expect.stringContaining(detail)]);
});

test("requests that wait at two replicas are answered when a file is stored at one of them", async () => {
  const { apiKey } = await aProject();
  const after = await cursorOf(apiKey);
  const waiting = Promise.all(
    [service, replica].map((at) => events(apiKey, { after, wait: "25", types: "file.stored" }, at)),
  );
  const { file_path } = await store(apiKey);
  for (const { body } of await waiting)
    expect(body.events.map(({ data }) => data["file_path"])).toEqual([file_path]);
});

/** Starts a request of a project without events, and returns it when it has arrived at the service: it starts the project's log. */
async function aWaitingRequest({ apiKey, ref }: { apiKey: string; ref: string }, at: RunningService) {
  const answer = events(apiKey, { wait: "25" }, at);
  const hasLog = () =>
    queryDatabase(`select from event_logs l join projects p on p.id = l.project_id where p.ref = $1`, [ref]);
  while ((await hasLog()).length === 0) await sleep(20);
  return { answer };
}

test("a key that was replaced while its request waited gets no event", async () => {
  const project = await aProject();
  const { answer } = await aWaitingRequest(project, service);
  await store((await aNewKeyFor(project)).apiKey);
  expect(await answer).toMatchObject({ status: 401, body: { detail: "Unauthorized" } });
});

test("a replica that stops answers the requests that wait", async () => {
  const leaving = await aService();
  const { answer } = await aWaitingRequest(await aProject(), leaving);
  await leaving.close();
  expect(await answer).toMatchObject({ status: 200, body: { events: [] } });
});
