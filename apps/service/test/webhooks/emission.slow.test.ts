import { setTimeout as sleep } from "node:timers/promises";
import { webhookEventTypes } from "@stowage/schemas";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTransaction } from "#db/client.js";
import { files } from "#db/schema/index.js";
import { deleteFiles } from "#files/delete/delete-files.js";
import { fileColumns } from "#files/record/file-record.js";
import { restoreFiles } from "#files/lifecycle/restore-files.js";
import { setLimits } from "#tenants/set-limits.js";
import { updateProject } from "#projects/update-project.js";
import { expireMissing } from "#reconcile/expire-missing.js";
import { repairCounters } from "#reconcile/repair-counters.js";
import { recordVerdict } from "#scans/record-verdict.js";
import { fanOutProject } from "#webhooks/fan-out-events.js";
import { HOUR_MS, SECOND_MS } from "#lib/time.js";
import { aWorld, put, type World } from "../fixtures/a-world.js";

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.close());

type Project = Awaited<ReturnType<World["project"]>>;

const FILE_EVENTS = webhookEventTypes.filter((type) => type.startsWith("file."));

async function anEndpoint(
  { id }: Project,
  { events = FILE_EVENTS as readonly string[], isDisabled = false } = {},
): Promise<number> {
  const [row] = await world.rows<{ id: number }>(
    `insert into webhook_endpoints (project_id, ref, url, description, events, secret, created_at, disabled_at)
     values ($1, gen_random_uuid()::text, 'https://example.com', '', string_to_array($2, ' '), 's', now(),
             case when $3 = 1 then now() end) returning id`,
    [id, events.join(" "), Number(isDisabled)],
  );
  return row!.id;
}

interface EventRow {
  type: string;
  subject: string;
  data: Record<string, unknown>;
}

/** In the order of their times. Those of the same millisecond are in the order of the rows, which is nearly always that of the inserts. */
async function eventsOf({ id }: Project): Promise<EventRow[]> {
  await fanOutProject(world.deps.db, id);
  return world.rows<EventRow>(
    `select type, subject, data from webhook_events where project_id = $1 order by xmin::text::bigint, at, ctid`,
    [id],
  );
}

async function deliveriesOf({ id }: Project, endpoint: number) {
  await fanOutProject(world.deps.db, id);
  return world.rows<{ state: string; type: string; nextAttemptAt: string | null }>(
    `select d.state, e.type, d.next_attempt_at as "nextAttemptAt"
     from webhook_deliveries d join webhook_events e on e.project_id = d.project_id and e.id = d.event
     where d.project_id = $1 and d.endpoint = $2 order by d.event`,
    [id, endpoint],
  );
}

async function aStoredFile(project: Project): Promise<string> {
  const upload = await world.upload(project, { size: 5, metadata: { album: "a" } });
  expect(await put(upload, "hello")).toBe(200);
  await world.complete(project, upload.filePath);
  return upload.filePath;
}

test("a settle writes one event with the file as it was stored, and a delivery for each endpoint that wants it", async () => {
  const project = await world.project();
  const [all, stored, other] = [
    await anEndpoint(project),
    await anEndpoint(project, { events: ["file.stored"] }),
    await anEndpoint(project, { events: ["file.deleted"] }),
  ];
  const path = await aStoredFile(project);
  await world.complete(project, path);
  const [event, ...more] = await eventsOf(project);
  expect(more).toEqual([]);
  expect(event).toMatchObject({
    type: "file.stored",
    data: { path, status: "stored", size: 5, tenant_id: "t", metadata: { album: "a" } },
  });
  expect(event!.subject).toBe(`file:${String(event!.data["id"])}`);
  for (const endpoint of [all, stored])
    expect(await deliveriesOf(project, endpoint)).toMatchObject([{ state: "pending", type: "file.stored" }]);
  expect(await deliveriesOf(project, other)).toEqual([]);
});

test("the event of a file has each column of its body, its order and its tenant, and no other", async () => {
  const project = await world.project();
  await anEndpoint(project);
  await aStoredFile(project);
  const [event] = await eventsOf(project);
  const columns = [
    ...Object.values(fileColumns),
    files.id,
    files.tenant,
    files.revision,
    files.scanSignature,
  ];
  expect(Object.keys(event!.data).toSorted()).toEqual(columns.map(({ name }) => name).toSorted());
});

test("a project without an endpoint writes no event, and neither does the endpoint of another project", async () => {
  const [project, other] = [await world.project(), await world.project()];
  await anEndpoint(other);
  await aStoredFile(project);
  expect([...(await eventsOf(project)), ...(await eventsOf(other))]).toEqual([]);
});

test("the deliveries of a disabled endpoint are skipped, and nothing is due", async () => {
  const project = await world.project();
  const endpoint = await anEndpoint(project, { isDisabled: true });
  await aStoredFile(project);
  expect(await deliveriesOf(project, endpoint)).toMatchObject([{ state: "skipped", nextAttemptAt: null }]);
});

test("a delete writes an event for each stored file, and none for an upload that never arrived", async () => {
  const project = await world.project();
  const paths = [await aStoredFile(project), await aStoredFile(project)];
  const pending = await world.upload(project, {});
  await anEndpoint(project);
  const everything = [...paths, pending.filePath];
  await deleteFiles(world.deps, project, { paths: everything, tenantId: undefined, mustExist: false });
  await deleteFiles(world.deps, project, { paths: everything, tenantId: undefined, mustExist: false });
  const events = await eventsOf(project);
  expect(events.map(({ type, data }) => [type, data["path"], data["size"]])).toEqual(
    paths.map((path) => ["file.deleted", path, 5]),
  );
});

test("a PUT that replaces the bytes writes a second event with the new size, after the first", async () => {
  const project = await world.project();
  const endpoint = await anEndpoint(project);
  const upload = await world.upload(project, {});
  expect(await put(upload, "hello")).toBe(200);
  await world.complete(project, upload.filePath);
  expect(await put(upload, "hello again")).toBe(200);
  await world.complete(project, upload.filePath);
  const events = await eventsOf(project);
  expect(events.map(({ type, data }) => [type, data["size"]])).toEqual([
    ["file.stored", 5],
    ["file.stored", 11],
  ]);
  const seqs = await world.rows<{ seq: number }>(
    `select seq from webhook_deliveries where project_id = $1 and endpoint = $2 order by event`,
    [project.id, endpoint],
  );
  expect(seqs[0]!.seq).toBeLessThan(seqs[1]!.seq);
});

test("an upload whose URL expires, and a file whose object is lost, write that they expired", async () => {
  const project = await world.project();
  const lost = await aStoredFile(project);
  await anEndpoint(project);
  const { filePath } = await world.upload(project, {});
  await world.deps.store.remove(lost);
  expect(await expireMissing(world.deps, project.id, lost)).toBe(true);
  expect(await expireMissing(world.deps, project.id, lost)).toBe(false);
  world.advance(3 * HOUR_MS + SECOND_MS);
  await world.sweep();
  const events = await eventsOf(project);
  expect(events.map(({ type, data }) => [type, data["path"], data["status"]])).toEqual([
    ["file.expired", lost, "expired"],
    ["file.expired", filePath, "expired"],
  ]);
});

test("the first upload of a tenant writes that it was created, once", async () => {
  const project = await world.project();
  await anEndpoint(project, { events: webhookEventTypes });
  await Promise.all([world.upload(project, { size: 1 }), world.upload(project, { size: 1 })]);
  await world.upload(project, { tenant_id: "u", size: 1 });
  const events = await eventsOf(project);
  expect(events.map(({ type, data }) => [type, data["tenant_id"]])).toEqual([
    ["tenant.created", "t"],
    ["tenant.created", "u"],
  ]);
});

test("a refused upload writes once that the quota is reached, and the end of another one that it is cleared", async () => {
  const project = await world.project({ defaultQuotaBytes: 10 });
  await anEndpoint(project, { events: ["tenant.quota_reached", "tenant.quota_cleared"] });
  const { filePath } = await world.upload(project, { size: 6 });
  const refused = () => world.upload(project, { size: 5 });
  await expect(refused()).rejects.toMatchObject({ code: "quota_exceeded" });
  await expect(refused()).rejects.toMatchObject({ code: "quota_exceeded" });
  expect((await eventsOf(project)).map(({ type }) => type)).toEqual(["tenant.quota_reached"]);
  await deleteFiles(world.deps, project, { paths: [filePath], tenantId: undefined, mustExist: true });
  const events = await eventsOf(project);
  expect(events.map(({ type, data }) => [type, data["reserved_bytes"]])).toEqual([
    ["tenant.quota_reached", 6],
    ["tenant.quota_cleared", 0],
  ]);
});

test("an upload that uses the quota up reaches it, and a higher quota clears it", async () => {
  const project = await world.project({ defaultQuotaBytes: 10 });
  await anEndpoint(project, { events: webhookEventTypes });
  await world.upload(project, { size: 10 });
  await setLimits(world.deps, project, { tenantId: "t", quotaBytes: 11 });
  const events = await eventsOf(project);
  expect(events.map(({ type }) => type)).toEqual([
    "tenant.created",
    "tenant.quota_reached",
    "tenant.quota_cleared",
  ]);
  const other = await world.project({ defaultQuotaBytes: 10 });
  await world.upload(other, { size: 10 });
  await expect(world.upload(other, { size: 1 })).rejects.toMatchObject({ code: "quota_exceeded" });
  expect(await world.rows(`select quota_needs_bytes from tenants where project_id = $1`, [other.id])).toEqual(
    [{ quota_needs_bytes: null }],
  );
});

test("an upload without a size that is refused reaches the quota too", async () => {
  const project = await world.project({ defaultQuotaBytes: 10 });
  await world.upload(project, { size: 10 });
  await anEndpoint(project, { events: ["tenant.quota_reached"] });
  await expect(world.upload(project, {})).rejects.toMatchObject({ code: "quota_exceeded" });
  expect((await eventsOf(project)).map(({ type }) => type)).toEqual(["tenant.quota_reached"]);
});

test("a refused upload does not tell that the quota is cleared, although the project has a larger one by now", async () => {
  const project = await world.project({ defaultQuotaBytes: 10 });
  await anEndpoint(project, { events: ["tenant.quota_reached", "tenant.quota_cleared"] });
  await world.upload(project, { size: 8 });
  const types = async () => (await eventsOf(project)).map(({ type }) => type);
  await expect(world.upload(project, { size: 5 })).rejects.toMatchObject({ code: "quota_exceeded" });
  await updateProject(world.deps, project.ref, { defaultQuotaBytes: 20 });
  await expect(world.upload(project, { size: 15 })).rejects.toMatchObject({ code: "quota_exceeded" });
  expect(await types()).toEqual(["tenant.quota_reached"]);
  await world.upload(project, { size: 1 });
  expect(await types()).toEqual(["tenant.quota_reached", "tenant.quota_cleared"]);
});

test("a repair of the counters tells that a quota is cleared", async () => {
  const project = await world.project({ defaultQuotaBytes: 10 });
  await anEndpoint(project, { events: ["tenant.quota_reached", "tenant.quota_cleared"] });
  await world.upload(project, { size: 1 });
  await world.rows(`update tenants set used_bytes = 9 where project_id = $1`, [project.id]);
  await expect(world.upload(project, { size: 5 })).rejects.toMatchObject({ code: "quota_exceeded" });
  await repairCounters(world.deps, project.id, "t");
  const events = await eventsOf(project);
  expect(events.map(({ type, data }) => [type, data["used_bytes"]])).toEqual([
    ["tenant.quota_reached", 9],
    ["tenant.quota_cleared", 0],
  ]);
});

test("an endpoint gets the events from its creation on, also if the ones before were not fanned out yet", async () => {
  const project = await world.project();
  const first = await anEndpoint(project);
  await aStoredFile(project);
  const second = await anEndpoint(project);
  await aStoredFile(project);
  expect(await deliveriesOf(project, first)).toHaveLength(2);
  expect(await deliveriesOf(project, second)).toHaveLength(1);
});

test("a later event of a file is fanned out after the earlier one, although the clock was set back by an hour", async () => {
  const project = await world.project();
  await anEndpoint(project);
  const path = await aStoredFile(project);
  await world.rows(
    `insert into webhook_outbox (project_id, position, type, at, wanted_by, skipped_by, rows, by_tenant)
    select project_id, position + interval '1 hour', type, at, wanted_by, skipped_by, rows, by_tenant from webhook_outbox where project_id = $1`,
    [project.id],
  );
  await deleteFiles(world.deps, project, { paths: [path], tenantId: undefined, mustExist: true });
  const types = await world.rows(
    `select type from webhook_outbox where project_id = $1 order by position, id`,
    [project.id],
  );
  expect(types).toEqual([{ type: "file.stored" }, { type: "file.stored" }, { type: "file.deleted" }]);
});

test("two replicas that fan out at the same time move each event once", async () => {
  const project = await world.project();
  const endpoint = await anEndpoint(project);
  await Promise.all(Array.from({ length: 5 }, () => aStoredFile(project)));
  let other: Promise<unknown> | undefined;
  await inTransaction(world.deps.db, async (db) => {
    await fanOutProject(db, project.id);
    await aStoredFile(project);
    other = fanOutProject(world.deps.db, project.id);
    await Promise.race([other, sleep(300)]);
    expect(await world.rows(`select from webhook_events where project_id = $1`, [project.id])).toEqual([]);
  });
  await other;
  expect(await deliveriesOf(project, endpoint)).toHaveLength(6);
  expect(await eventsOf(project)).toHaveLength(6);
});

test("a file in the trash writes nothing until it is restored, neither for its scan nor if its object is lost", async () => {
  const project = await world.project({ trashDays: 30 });
  await updateProject(world.deps, project.ref, { scan: "external" });
  const [scanned, lost] = [await aStoredFile(project), await aStoredFile(project)];
  await anEndpoint(project);
  const paths = [scanned, lost];
  await deleteFiles(world.deps, project, { paths, tenantId: undefined, mustExist: false });
  const [row] = await world.rows<{ id: number; etag: string }>(
    `select id::float8, etag from files where path = $1`,
    [scanned],
  );
  const file = { projectId: project.id, id: row!.id };
  const verdict = { etag: row!.etag, verdict: "infected", signature: "Eicar-Test" } as const;
  expect(await recordVerdict(world.deps, file, verdict)).toBe(true);
  await world.deps.store.remove(lost);
  expect(await expireMissing(world.deps, project.id, lost)).toBe(true);
  await restoreFiles(world.deps, project, { paths, tenantId: undefined, mustExist: false });
  const events = await eventsOf(project);
  expect(events.map(({ type, data }) => [type, data["path"], data["scan_status"]])).toEqual([
    ["file.deleted", scanned, "pending"],
    ["file.deleted", lost, "pending"],
    ["file.restored", scanned, "infected"],
  ]);
});
