import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ListedFile } from "#files/list/browse-files.js";
import type { Overview } from "#usage/read-overview.js";
import type { RefusalCount } from "#usage/read-refusals.js";
import type { ProjectDayUsage } from "#usage/read-project-daily-usage.js";
import { anOperator, anOwnedProject, type Person, type StreamEvent } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { aStoredFile, deliver } from "../fixtures/a-stored-file.js";
import { anUpload, call, putBytes } from "../fixtures/call.js";

let service: RunningService;
let owner: Person;
beforeAll(async () => {
  service = await aService();
  owner = await anOperator(service.url);
});
afterAll(() => service.close());

const read = async (projectRef: string) =>
  (await owner.query<Overview>("overview.read", { projectRef })).data;

async function refuse(apiKey: string, body: object, status: number): Promise<void> {
  const answer = await call(`${service.url}/api/storage/upload/`, { key: apiKey, body });
  expect(answer.status).toBe(status);
}

describe("the overview", () => {
  test("of a new project says that it never had a file", async () => {
    const { projectRef } = await anOwnedProject(owner);
    expect(await read(projectRef)).toEqual({
      usedBytes: 0,
      reservedBytes: 0,
      fileCount: 0,
      tenantCount: 0,
      tenantsOverQuota: 0,
      defaultQuotaBytes: null,
      hasFiles: false,
    });
    expect((await owner.query("overview.newestUploads", { projectRef })).data).toEqual([]);
  });

  test("adds up its tenants, and lists those that have reached their quota", async () => {
    const { projectRef, apiKey } = await anOwnedProject(owner);
    await owner.mutate("settings.update", { projectRef, defaultQuotaBytes: 10 });
    await aStoredFile(service.url, apiKey, { tenant_id: "a", bytes: "0123456789" });
    const gone = await aStoredFile(service.url, apiKey, { tenant_id: "b", bytes: "12345" });
    await anUpload(service.url, apiKey, { tenant_id: "c", filename: "open.txt", size: 3 });
    await call(`${service.url}/api/storage/delete/`, { key: apiKey, body: { file_path: gone.file_path } });
    expect(await read(projectRef)).toEqual({
      usedBytes: 10,
      reservedBytes: 3,
      fileCount: 1,
      tenantCount: 3,
      tenantsOverQuota: 1,
      defaultQuotaBytes: 10,
      hasFiles: true,
    });
  });

  test.each([7, 30, 90])("has each of the last %i days, also days without activity", async (days) => {
    const { projectRef, apiKey } = await anOwnedProject(owner);
    const file = await aStoredFile(service.url, apiKey, { bytes: "12345" });
    await aStoredFile(service.url, apiKey, { tenant_id: "another", bytes: "12" });
    await call(`${service.url}/api/storage/delete/`, { key: apiKey, body: { file_path: file.file_path } });
    const { data } = await owner.query<ProjectDayUsage[]>("overview.perDay", { projectRef, days });
    const today = new Date().toISOString().slice(0, 10);
    expect(data).toHaveLength(days);
    expect(data.at(-1)).toEqual({
      day: today,
      uploads: 2,
      uploadedBytes: 7,
      deletedFiles: 1,
      deletedBytes: 5,
      downloadsSigned: 0,
      bytesSigned: 0,
      bytesDelivered: null,
    });
    expect(new Set(data.map(({ day }) => day)).size).toBe(days);
    expect(data.slice(0, -1).every(({ uploads, deletedFiles }) => uploads + deletedFiles === 0)).toBe(true);
  });

  test("adds up the downloads that were signed, and the bytes that an access log says were delivered", async () => {
    const replica = await aService();
    const { projectRef, apiKey } = await anOwnedProject(owner);
    for (const [tenant_id, bytes] of [
      ["a", "12345"],
      ["b", "12"],
    ] as const) {
      const { file_path } = await aStoredFile(replica.url, apiKey, { tenant_id, bytes });
      const signed = await call(`${replica.url}/api/storage/download/`, { key: apiKey, body: { file_path } });
      expect(signed.status).toBe(200);
    }
    // A replica writes its counts when it stops.
    await replica.close();
    await deliver(projectRef, { a: 300, b: 40 });
    const { data } = await owner.query<ProjectDayUsage[]>("overview.perDay", { projectRef, days: 7 });
    const downloadsOf = ({ downloadsSigned, bytesSigned, bytesDelivered }: ProjectDayUsage) => [
      downloadsSigned,
      bytesSigned,
      bytesDelivered,
    ];
    expect(data.slice(-2).map(downloadsOf)).toEqual([
      [0, 0, null],
      [2, 7, 340],
    ]);
  });

  test("is refused for any other number of days", async () => {
    const { projectRef } = await anOwnedProject(owner);
    expect(await owner.query("overview.perDay", { projectRef, days: 8 })).toMatchObject({
      status: 400,
      code: "invalid_request",
    });
  });

  test("counts refused requests by reason, and ignores requests with an unknown key", async () => {
    const replica = await aService();
    const { projectRef, apiKey } = await anOwnedProject(owner);
    await owner.mutate("settings.update", { projectRef, maxFileBytes: 5 });
    const send = async (body: object, key = apiKey) =>
      (await call(`${replica.url}/api/storage/upload/`, { key, body })).status;
    expect(await send({ tenant_id: "t", filename: "a.txt", size: 6 })).toBe(400);
    expect(await send({ tenant_id: "t", filename: "a.txt", size: 7 })).toBe(400);
    expect(await send({ tenant_id: "t" })).toBe(400);
    expect(await send({ tenant_id: "t", filename: "a.txt", size: 5 })).toBe(200);
    expect(await send({ tenant_id: "t" }, apiKey.slice(0, -1))).toBe(401);
    await refuse(apiKey, { tenant_id: "t", filename: "a.txt", size: 9 }, 400);
    // A replica writes its counts when it stops.
    await replica.close();
    const { data } = await owner.query<RefusalCount[]>("overview.refusals", { projectRef, days: 7 });
    expect(data).toEqual([
      { code: "file_too_large", detail: "size must be at most N bytes", count: 2 },
      { code: "filename_required", detail: "filename is required", count: 1 },
    ]);
  });
});

/** Collects the events of a watcher. */
function watch(person: Person, projectRef: string, input: object = {}) {
  const leaving = new AbortController();
  const events = person.subscribe("overview.uploads", { projectRef, ...input }, leaving.signal);
  return {
    async next(): Promise<StreamEvent & { data: ListedFile[] }> {
      for (;;) {
        const { value, done } = await events.next();
        if (done) throw new Error("the stream ended");
        if (value.event === "message") return value as StreamEvent & { data: ListedFile[] };
        if (value.event === "serialized-error") throw new Error(JSON.stringify(value.data));
      }
    },
    /** Resolves with the received events when the stream has ended. */
    async rest(): Promise<string[]> {
      const names: string[] = [];
      for await (const { event } of events) names.push(event);
      return names;
    },
    leave: () => leaving.abort(),
  };
}

describe("a watcher of uploads", () => {
  test("receives each requested and stored upload from every replica, and what it missed after a lost connection", async () => {
    const replica = await aService();
    const { projectRef, apiKey } = await anOwnedProject(owner);
    const watcher = watch(owner, projectRef);
    const [none, upload] = [
      await watcher.next(),
      await anUpload(replica.url, apiKey, { tenant_id: "t", filename: "a.txt" }),
    ];
    expect(none.data).toEqual([]);
    expect((await watcher.next()).data).toMatchObject([
      { filename: "a.txt", tenantId: "t", status: "pending", sizeBytes: null },
    ]);
    await putBytes(upload, Buffer.from("hello"));
    await call(`${replica.url}/api/storage/complete/`, {
      key: apiKey,
      body: { file_path: upload.file_path },
    });
    const stored = await watcher.next();
    expect(stored.data).toMatchObject([{ filename: "a.txt", status: "stored", sizeBytes: 5 }]);
    watcher.leave();

    await aStoredFile(replica.url, apiKey, { filename: "missed.txt" });
    const again = watch(owner, projectRef, { lastEventId: stored.id });
    const missed = await again.next();
    expect(missed.data.map(({ filename }) => filename)).toEqual(["missed.txt", "a.txt"]);
    again.leave();

    // A watcher that is up to date receives nothing.
    const knowing = watch(owner, projectRef, { lastEventId: missed.id });
    const next = knowing.next();
    await sleep(1500);
    await anUpload(service.url, apiKey, { tenant_id: "t", filename: "new.txt" });
    expect((await next).data.map(({ filename }) => filename)).toEqual(["new.txt", "missed.txt", "a.txt"]);
    knowing.leave();
    await replica.close();
  });

  test("receives nothing of another project", async () => {
    const mine = await anOwnedProject(owner);
    const other = await anOwnedProject(owner);
    const watcher = watch(owner, mine.projectRef);
    await watcher.next();
    await anUpload(service.url, other.apiKey, { tenant_id: "t", filename: "theirs.txt" });
    const next = watcher.next();
    await sleep(1500);
    await anUpload(service.url, mine.apiKey, { tenant_id: "t", filename: "mine.txt" });
    expect((await next).data.map(({ filename }) => filename)).toEqual(["mine.txt"]);
    watcher.leave();
  });

  test("has at most ten streams at the same time, and can open another after it closes one", async () => {
    const { projectRef } = await anOwnedProject(owner);
    const watchers = Array.from({ length: 10 }, () => watch(owner, projectRef));
    await Promise.all(watchers.map((watcher) => watcher.next()));
    await expect(watch(owner, projectRef).next()).rejects.toThrow("too_many_requests");
    watchers[0]!.leave();
    await expect
      .poll(() =>
        watch(owner, projectRef)
          .next()
          .then(
            () => true,
            () => false,
          ),
      )
      .toBe(true);
    for (const watcher of watchers) watcher.leave();
  });

  test("does not delay the stop of a replica, and gets no end event, so the browser reconnects", async () => {
    const replica = await aService();
    const person = await anOperator(replica.url);
    const { projectRef } = await anOwnedProject(person);
    const watcher = watch(person, projectRef);
    await watcher.next();
    const startedAt = Date.now();
    const rest = watcher.rest();
    await replica.close();
    // The watcher never leaves.
    expect(Date.now() - startedAt).toBeLessThan(60_000);
    expect(await rest).toEqual([]);
  });
});
