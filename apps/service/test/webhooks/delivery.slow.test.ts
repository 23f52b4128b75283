import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { deliveryLeaseMs } from "@stowage/operator-schemas";
import { webhookEvent, webhookEventTypes } from "@stowage/schemas";
import * as z from "zod";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { inTransaction } from "#db/client.js";
import { deleteFiles } from "#files/delete/delete-files.js";
import { restoreFiles } from "#files/lifecycle/restore-files.js";
import { updateFile } from "#files/organise/update-file.js";
import { addMs, DAY_MS, MINUTE_MS, SECOND_MS } from "#lib/time.js";
import { updateProject } from "#projects/update-project.js";
import { expireMissing } from "#reconcile/expire-missing.js";
import { recordVerdict } from "#scans/record-verdict.js";
import { deleteOldEvents } from "#webhooks/delete-old-events.js";
import { deliverTo } from "#webhooks/deliver.js";
import { lockEndpoint } from "#webhooks/endpoint-record.js";
import { fanOutProject } from "#webhooks/fan-out-events.js";
import { listDeliveries } from "#webhooks/list-deliveries.js";
import { readDelivery } from "#webhooks/read-delivery.js";
import { changeEndpoint, deleteEndpoint, listEndpoints, rotateSecret } from "#webhooks/manage-endpoints.js";
import { createPostWebhook } from "#webhooks/post-webhook.js";
import { redeliver, redeliverSince, sendTest } from "#webhooks/redeliver.js";
import { createSecretBox } from "#webhooks/secret-box.js";
import { aReceiver, type Receiver, withStatus } from "../fixtures/a-receiver.js";
import { aWorld, put, type World } from "../fixtures/a-world.js";
import {
  actorOf,
  aDeliverer,
  anEndpoint,
  deliverDue,
  verified,
  webhookDeps,
} from "../fixtures/an-endpoint.js";

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.close());

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

type Project = Awaited<ReturnType<World["project"]>>;

async function receiver(): Promise<Receiver> {
  const one = await aReceiver();
  opened.push(one);
  return one;
}

/** A replica that has no turns running when the test ends. */
function replica(options: Parameters<typeof aDeliverer>[1] = {}) {
  const deliverer = aDeliverer(world, options);
  opened.push({ close: () => deliverer.stop() });
  return deliverer;
}

async function aStoredFile(project: Project): Promise<string> {
  const upload = await world.upload(project, { size: 5 });
  expect(await put(upload, "hello")).toBe(200);
  await world.complete(project, upload.filePath);
  return upload.filePath;
}

/** One event of a stored file, with its delivery to one endpoint. */
async function aDueDelivery() {
  const [project, one] = [await world.project(), await receiver()];
  const { ref } = await anEndpoint(world, project, one);
  await aStoredFile(project);
  await fanOutProject(world.deps.db, project.id);
  const [{ endpoint, event }] = (await world.rows<{ endpoint: number; event: string }>(
    `select endpoint, event from webhook_deliveries where project_id = $1`,
    [project.id],
  )) as [{ endpoint: number; event: string }];
  return { project, projectId: project.id, ref, endpoint, event };
}

const remove = (project: Project, path: string) =>
  deleteFiles(world.deps, project, { paths: [path], tenantId: undefined, mustExist: true });

async function logOf(project: Project, endpointRef: string) {
  await fanOutProject(world.deps.db, project.id);
  const all = { endpointRef, onlyUndelivered: false, limit: 100, cursor: undefined };
  return (await listDeliveries(world.deps, project, all)).deliveries;
}

const typesOf = (one: Receiver) =>
  one.received.map(({ body }) => (JSON.parse(body) as { type: string }).type);

test("a stored file arrives as the event that the schemas describe, signed, and is logged", async () => {
  const [project, one] = [await world.project(), await receiver()];
  const endpoint = await anEndpoint(world, project, one);
  const path = await aStoredFile(project);
  one.answer = (response) => void response.writeHead(200).end("thanks");
  const deliverer = replica();
  await deliverDue(deliverer);
  await deliverDue(deliverer);
  expect(deliverer.failures).toEqual([]);
  expect(one.received).toHaveLength(1);
  const event = webhookEvent.parse(verified(one.received[0]!, endpoint.secret));
  expect(event).toMatchObject({
    type: "file.stored",
    data: { project_ref: project.ref, file_path: path, tenant_id: "t", size: 5, status: "stored" },
  });
  const [delivery, ...more] = await logOf(project, endpoint.ref);
  expect(more).toEqual([]);
  expect(delivery).toMatchObject({ type: "file.stored", state: "delivered", attempts: 1, lastStatus: 200 });
  const { eventId } = delivery!;
  const details = await readDelivery(webhookDeps(world), project, { endpointRef: endpoint.ref, eventId });
  expect(details.request).toEqual({
    webhookId: one.received[0]!.headers["webhook-id"],
    body: one.received[0]!.body,
  });
  expect(details.tries).toMatchObject([{ status: 200, error: null, answer: "thanks" }]);
});

test("each type of event arrives with the members that its schema describes, and no other", async () => {
  const project = await world.project({ defaultQuotaBytes: 10, trashDays: 30 });
  await updateProject(world.deps, project.ref, { scan: "external" });
  const one = await receiver();
  const { ref } = await anEndpoint(world, project, { url: one.url, events: [...webhookEventTypes] });
  const path = await aStoredFile(project);
  const settling = { ...world.deps, settling: world.deps };
  await updateFile(settling, project, { filePath: path, tenantId: undefined, filename: "renamed.txt" });
  const [file] = await world.rows<{ id: number; etag: string }>(
    `select id::float8, etag from files where path = $1`,
    [path],
  );
  const verdict = { etag: file!.etag, verdict: "infected", signature: "Eicar-Test" } as const;
  await recordVerdict(world.deps, { projectId: project.id, id: file!.id }, verdict);
  await expect(world.upload(project, { size: 6 })).rejects.toMatchObject({ code: "quota_exceeded" });
  await remove(project, path);
  await restoreFiles(world.deps, project, { paths: [path], tenantId: undefined, mustExist: true });
  await world.deps.store.remove(path);
  expect(await expireMissing(world.deps, project.id, path)).toBe(true);
  await sendTest(webhookDeps(world), actorOf(project), { endpointRef: ref });
  const deliverer = replica();
  for (let turn = 0; turn < 2 * webhookEvent.options.length; turn++) await deliverDue(deliverer);

  expect(new Set(typesOf(one))).toEqual(new Set(webhookEvent.options.map(({ shape }) => shape.type.value)));
  for (const { body } of one.received) {
    const event = JSON.parse(body) as { type: string };
    const { shape } = webhookEvent.options.find((option) => option.shape.type.value === event.type)!;
    const exact = z.strictObject({ ...shape, data: shape.data.strict() });
    expect(exact.safeParse(event).error).toBeUndefined();
  }
});

test("a failure is tried again after 5 and 30 seconds, or when Retry-After says, with the same body and id", async () => {
  onTestFinished(world.stopClock());
  const [project, one] = [await world.project(), await receiver()];
  const endpoint = await anEndpoint(world, project, one);
  await aStoredFile(project);
  const deliverer = replica();
  one.answer = withStatus(500);
  await deliverDue(deliverer);
  world.advance(4 * SECOND_MS);
  await deliverDue(deliverer);
  expect(one.received).toHaveLength(1);
  world.advance(2 * SECOND_MS);
  one.answer = withStatus(503, { "retry-after": "120" });
  await deliverDue(deliverer);
  world.advance(100 * SECOND_MS);
  await deliverDue(deliverer);
  expect(one.received).toHaveLength(2);
  expect((await listEndpoints(world.deps, project))[0]!.failingSince).not.toBeNull();
  world.advance(30 * SECOND_MS);
  one.answer = withStatus(204);
  await deliverDue(deliverer);
  expect(one.received).toHaveLength(3);
  expect(
    new Set(one.received.map(({ body, headers }) => `${String(headers["webhook-id"])} ${body}`)).size,
  ).toBe(1);
  for (const each of one.received) verified(each, endpoint.secret);
  expect(await logOf(project, endpoint.ref)).toMatchObject([{ state: "delivered", attempts: 3 }]);
  expect((await listEndpoints(world.deps, project))[0]!.failingSince).toBeNull();
});

test("the events of a file arrive in their order, and a file that fails does not hold up another one", async () => {
  const [project, one] = [await world.project(), await receiver()];
  await anEndpoint(world, project, one);
  const [bad, good] = [await aStoredFile(project), await aStoredFile(project)];
  await remove(project, bad);
  await remove(project, good);
  let isFailing = true;
  one.answer = (response, { body }) =>
    withStatus(isFailing && body.includes(bad) ? 500 : 204)(response, { path: "", headers: {}, body });
  const deliverer = replica();
  const eventsOf = (path: string) =>
    one.received
      .filter(({ body }) => body.includes(path))
      .map(({ body }) => (JSON.parse(body) as { type: string }).type);
  await deliverDue(deliverer);
  await expect
    .poll(async () => {
      await deliverDue(deliverer);
      return eventsOf(good);
    })
    .toEqual(["file.stored", "file.deleted"]);
  expect(eventsOf(bad)).toEqual(["file.stored"]);
  isFailing = false;
  world.advance(6 * SECOND_MS);
  await expect
    .poll(async () => {
      await deliverDue(deliverer);
      return eventsOf(bad);
    })
    .toEqual(["file.stored", "file.stored", "file.deleted"]);
});

test("an endpoint that never answers does not delay another one", async () => {
  const [project, stuck, good] = [await world.project(), await receiver(), await receiver()];
  stuck.answer = () => undefined;
  const slow = await Promise.all(Array.from({ length: 8 }, () => anEndpoint(world, project, stuck)));
  const other = await world.project();
  await anEndpoint(world, other, good);
  await Promise.all(Array.from({ length: 20 }, () => aStoredFile(project)));
  // Longer than the test may take, so that no stuck request ends before the other event arrives.
  const deliverer = replica({ timeoutMs: 60_000, stopMs: 100 });
  await deliverer.start();
  await expect.poll(() => stuck.received.length).toBeGreaterThanOrEqual(4);
  await aStoredFile(other);
  await expect
    .poll(async () => {
      await deliverer.start();
      return good.received.length;
    })
    .toBe(1);
  await Promise.all(
    slow.map(({ ref: endpointRef }) => deleteEndpoint(world.deps, actorOf(project), { endpointRef })),
  );
});

test("slow endpoints that wait for their turns leave room for others that are found later", async () => {
  const [stuck, good, other] = [await receiver(), await receiver(), await world.project()];
  await anEndpoint(world, other, good);
  const deliverer = replica({ maxWaiting: 20, stopMs: 100 });
  stuck.answer = withStatus(500);
  const projects = await Promise.all(Array.from({ length: 4 }, () => world.project()));
  for (const project of projects) {
    const urls = Array.from({ length: 10 }, (_, number) => `${stuck.url}${project.ref}/${number}`);
    await Promise.all(urls.map((url) => anEndpoint(world, project, { url })));
    await aStoredFile(project);
  }
  await expect
    .poll(async () => {
      await deliverDue(deliverer);
      return new Set(stuck.received.map(({ path }) => path)).size;
    })
    .toBe(40);
  const before = stuck.received.length;
  stuck.answer = () => undefined;
  world.advance(6 * SECOND_MS);
  await deliverer.start();
  await expect.poll(() => stuck.received.length - before).toBeGreaterThanOrEqual(4);
  await aStoredFile(other);
  await deliverer.start();
  await expect.poll(() => good.received.length).toBe(1);
});

test("a replica that stops sends nothing more, does not wait for an endpoint, and its deliveries are sent after their lease", async () => {
  const [project, one] = [await world.project(), await receiver()];
  const { ref: endpointRef } = await anEndpoint(world, project, one);
  await Promise.all(Array.from({ length: 6 }, () => aStoredFile(project)));
  one.answer = () => undefined;
  const deliverer = replica({ timeoutMs: 60_000, stopMs: 200 });
  await deliverer.start();
  await expect.poll(() => one.received.length).toBe(4);
  const startedAt = performance.now();
  await deliverer.stop();
  expect(performance.now() - startedAt).toBeLessThan(20_000);
  expect(one.received).toHaveLength(4);
  for (const { eventId } of await logOf(project, endpointRef)) {
    const details = await readDelivery(webhookDeps(world), project, { endpointRef, eventId });
    expect(details).toMatchObject({ state: "pending", tries: [] });
  }
  one.answer = withStatus(204);
  world.advance(MINUTE_MS);
  const next = replica();
  await expect
    .poll(async () => {
      await deliverDue(next);
      return (await logOf(project, endpointRef)).filter(({ state }) => state === "delivered").length;
    })
    .toBe(6);
});

test("410 disables the endpoint with its reason and an audit entry, and a redelivery since then sends what it missed", async () => {
  const [project, one] = [await world.project(), await receiver()];
  const { ref: endpointRef, createdAt } = await anEndpoint(world, project, one);
  await aStoredFile(project);
  one.answer = withStatus(410);
  const deliverer = replica();
  await deliverDue(deliverer);
  expect(await listEndpoints(world.deps, project)).toMatchObject([{ disabledReason: "gone" }]);
  const audit = await world.rows(
    `select details->>'reason' as reason from audit_log where project_id = $1 and action = 'webhook.disabled'`,
    [project.id],
  );
  expect(audit).toEqual([{ reason: "gone" }]);
  await aStoredFile(project);
  await deliverDue(deliverer);
  expect(one.received).toHaveLength(1);
  expect((await logOf(project, endpointRef)).map(({ state }) => state)).toEqual(["skipped", "failed"]);
  // This one is still in the outbox when the redelivery starts.
  await aStoredFile(project);
  const again = { endpointRef, since: createdAt };
  await expect(redeliverSince(world.deps, actorOf(project), again)).rejects.toMatchObject({
    code: "invalid_request",
  });
  await changeEndpoint(webhookDeps(world), actorOf(project), { endpointRef, isEnabled: true });
  expect(await redeliverSince(world.deps, actorOf(project), again)).toEqual({ redelivered: 3, next: null });
  one.answer = withStatus(204);
  await deliverDue(deliverer);
  expect(typesOf(one).slice(1)).toEqual(["file.stored", "file.stored", "file.stored"]);
  expect(new Set((await logOf(project, endpointRef)).map(({ state }) => state))).toEqual(
    new Set(["delivered"]),
  );
});

test("after the ninth failure a delivery has failed, and five days of failures disable the endpoint", async () => {
  const [project, one] = [await world.project(), await receiver()];
  const { ref: endpointRef } = await anEndpoint(world, project, one);
  await aStoredFile(project);
  one.answer = withStatus(302, { location: one.url });
  const deliverer = replica();
  for (let tries = 1; tries <= 9; tries++) {
    await deliverDue(deliverer);
    expect(one.received).toHaveLength(tries);
    const [{ nextAttemptAt } = { nextAttemptAt: null }] = await logOf(project, endpointRef);
    if (nextAttemptAt !== null) world.advance(Date.parse(nextAttemptAt) - world.deps.clock().getTime() + 1);
  }
  const [delivery] = await logOf(project, endpointRef);
  expect(delivery).toMatchObject({ state: "failed", attempts: 9, nextAttemptAt: null, lastStatus: 302 });
  expect(await listEndpoints(world.deps, project)).toMatchObject([{ disabledAt: null }]);
  world.advance(5 * DAY_MS);
  await aStoredFile(project);
  await deliverDue(deliverer);
  expect(await listEndpoints(world.deps, project)).toMatchObject([{ disabledReason: "failing" }]);
});

test("two replicas send each event once, and a replica that dies in a delivery sends it again", async () => {
  const [project, one] = [await world.project(), await receiver()];
  const { ref: endpointRef, secret } = await anEndpoint(world, project, one);
  await Promise.all(Array.from({ length: 12 }, () => aStoredFile(project)));
  const replicas = [replica(), replica()];
  await expect
    .poll(async () => {
      await Promise.all(replicas.map(deliverDue));
      return (await logOf(project, endpointRef)).filter(({ state }) => state === "delivered").length;
    })
    .toBe(12);
  expect(new Set(one.received.map(({ headers }) => headers["webhook-id"])).size).toBe(12);
  expect(one.received).toHaveLength(12);

  // A replica claims, and is gone before it sends.
  const path = await aStoredFile(project);
  await fanOutProject(world.deps.db, project.id);
  const [lost] = await world.rows<{ id: number }>(`select id from webhook_endpoints where project_id = $1`, [
    project.id,
  ]);
  const at = world.deps.clock();
  await world.rows(
    `select event_id from claim_deliveries($1::bigint, $2::bigint, $3::timestamptz, $4::timestamptz, 10)`,
    [project.id, lost!.id, at.toISOString(), new Date(at.getTime() + MINUTE_MS).toISOString()],
  );
  await deliverDue(replicas[0]!);
  expect(one.received).toHaveLength(12);
  world.advance(MINUTE_MS);
  await deliverDue(replicas[1]!);
  expect(one.received).toHaveLength(13);
  expect(verified(one.received.at(-1)!, secret).data["file_path"]).toBe(path);
});

test("the late end of a try changes nothing of a delivery that another replica has claimed meanwhile", async () => {
  const { projectId, endpoint, event } = await aDueDelivery();
  const start = world.deps.clock();
  const [first, second] = [addMs(start, MINUTE_MS).toISOString(), addMs(start, 2 * MINUTE_MS).toISOString()];
  const claim = `select event_id from claim_deliveries($1::bigint, $2::bigint, $3::timestamptz, $4::timestamptz, 1)`;
  expect(await world.rows(claim, [projectId, endpoint, start.toISOString(), first])).toHaveLength(1);
  expect(await world.rows(claim, [projectId, endpoint, first, second])).toHaveLength(1);
  await world.rows(
    `select finish_delivery($1::bigint, $2::bigint, $3::uuid, $4::timestamptz, $4::timestamptz, 'failed', null, 500, 1, 'failed', null)`,
    [projectId, endpoint, event, first],
  );
  expect(
    await world.rows(
      `select state, attempts from webhook_deliveries
       where project_id = $1 and endpoint = $2 and next_attempt_at = $3::timestamptz`,
      [projectId, endpoint, second],
    ),
  ).toEqual([{ state: "pending", attempts: 2 }]);
});

test("a delivery whose turn comes after its lease is left to another replica", async () => {
  const [project, one] = [await world.project(), await receiver()];
  await anEndpoint(world, project, one);
  await Promise.all([aStoredFile(project), aStoredFile(project)]);
  await fanOutProject(world.deps.db, project.id);
  const [{ endpoint }] = (await world.rows<{ endpoint: number }>(
    `select endpoint from webhook_deliveries where project_id = $1 limit 1`,
    [project.id],
  )) as [{ endpoint: number }];
  one.answer = (response, received) => {
    world.advance(deliveryLeaseMs);
    withStatus(204)(response, received);
  };
  const failures: unknown[] = [];
  const deps = {
    ...webhookDeps(world),
    random: () => 0,
    post: createPostWebhook({ addresses: { allowPrivate: true } }),
    onError: (error: unknown) => void failures.push(error),
  };
  const share = { claims: 2, concurrency: 1, mayStart: () => true, signal: new AbortController().signal };
  expect(await deliverTo(deps, { projectId: project.id, endpoint }, share)).toBe(2);
  expect(one.received).toHaveLength(1);
  expect(await deliverTo(deps, { projectId: project.id, endpoint }, share)).toBe(1);
  expect(new Set(one.received.map(({ body }) => body)).size).toBe(2);
  expect(failures).toEqual([]);
});

test("the redelivery of an event does not shorten the pause of a later event of its file", async () => {
  const [project, one] = [await world.project(), await receiver()];
  const { ref: endpointRef } = await anEndpoint(world, project, one);
  const path = await aStoredFile(project);
  const deliverer = replica();
  await deliverDue(deliverer);
  one.answer = withStatus(500);
  await remove(project, path);
  await deliverDue(deliverer);
  one.answer = withStatus(204);
  const stored = (await logOf(project, endpointRef)).find(({ type }) => type === "file.stored")!;
  await redeliver(world.deps, actorOf(project), { endpointRef, eventId: stored.eventId });
  for (let n = 0; n < 3; n++) await deliverDue(deliverer);
  expect(typesOf(one)).toEqual(["file.stored", "file.deleted", "file.stored"]);
  world.advance(6 * SECOND_MS);
  await deliverDue(deliverer);
  expect(typesOf(one).at(-1)).toBe("file.deleted");
  expect(one.received).toHaveLength(4);
});

test("the end of a try and a redelivery of the same event wait for each other, and neither is lost", async () => {
  const { project, ref, endpoint, event } = await aDueDelivery();
  const at = world.deps.clock().toISOString();
  const parameters = [project.id, endpoint, event, at];
  const makeDue = `update webhook_deliveries set next_attempt_at = $4::timestamptz
    where project_id = $1::bigint and endpoint = $2::bigint and event = $3::uuid`;
  await world.rows(makeDue, parameters);
  let finished: Promise<unknown> | undefined;
  await inTransaction(world.deps.db, async (db, tx) => {
    await lockEndpoint(tx, project, ref);
    finished = world.rows(
      `select finish_delivery($1::bigint, $2::bigint, $3::uuid, $4::timestamptz, $4::timestamptz, 'failed',
         null, 500, 1, 'failed', null)`,
      parameters,
    );
    await Promise.race([finished, sleep(300)]);
    await db.execute(makeDue, parameters);
  });
  await expect(finished).resolves.toHaveLength(1);
});

test("while a secret rotates both secrets verify, and after a day only the new one does", async () => {
  const [project, one] = [await world.project(), await receiver()];
  const before = await anEndpoint(world, project, one);
  const { secret } = await rotateSecret(webhookDeps(world), actorOf(project), { endpointRef: before.ref });
  expect(secret).not.toBe(before.secret);
  await aStoredFile(project);
  const deliverer = replica();
  await deliverDue(deliverer);
  for (const either of [secret, before.secret]) verified(one.received[0]!, either);
  world.advance(DAY_MS + SECOND_MS);
  await aStoredFile(project);
  await deliverDue(deliverer);
  expect(String(one.received[1]!.headers["webhook-signature"]).split(" ")).toHaveLength(1);
});

test("a secret that cannot be decrypted is a failed try, and a new secret signs alone", async () => {
  const [project, one] = [await world.project(), await receiver()];
  const { ref: endpointRef } = await anEndpoint(world, project, one);
  const sealedOtherwise = createSecretBox(async () => ["the secret before it was changed"], randomBytes);
  await world.rows(`update webhook_endpoints set secret = $2 where project_id = $1`, [
    project.id,
    await sealedOtherwise.seal("whsec_x"),
  ]);
  await aStoredFile(project);
  const deliverer = replica();
  await deliverDue(deliverer);
  expect(deliverer.failures).toHaveLength(1);
  expect(one.received).toEqual([]);
  const [delivery] = await logOf(project, endpointRef);
  expect(delivery).toMatchObject({ state: "pending", attempts: 1 });
  const { eventId } = delivery!;
  const { tries } = await readDelivery(webhookDeps(world), project, { endpointRef, eventId });
  expect(tries).toMatchObject([{ status: null, error: expect.stringContaining("replace the secret") }]);
  const { secret } = await rotateSecret(webhookDeps(world), actorOf(project), { endpointRef });
  world.advance(6 * SECOND_MS);
  await deliverDue(deliverer);
  verified(one.received[0]!, secret);
  expect(String(one.received[0]!.headers["webhook-signature"]).split(" ")).toHaveLength(1);
});

test("an event of a type that this version does not know is tried again, and delays no other event", async () => {
  const [project, one] = [await world.project(), await receiver()];
  const { ref: endpointRef } = await anEndpoint(world, project, one);
  await aStoredFile(project);
  await fanOutProject(world.deps.db, project.id);
  await world.rows(`update webhook_events set type = 'file.renamed' where project_id = $1`, [project.id]);
  await aStoredFile(project);
  const deliverer = replica();
  await deliverDue(deliverer);
  expect(typesOf(one)).toEqual(["file.stored"]);
  const states = (await logOf(project, endpointRef)).map(({ type, state }) => [type, state]);
  expect(states).toContainEqual(["file.renamed", "pending"]);
  expect(states).toContainEqual(["file.stored", "delivered"]);
});

test("a test and a redelivery of one event arrive, and a deleted endpoint gets nothing", async () => {
  const [project, one] = [await world.project(), await receiver()];
  const { ref: endpointRef, secret } = await anEndpoint(world, project, {
    url: one.url,
    events: ["file.deleted"],
  });
  const deliverer = replica();
  const { eventId } = await sendTest(webhookDeps(world), actorOf(project), { endpointRef });
  await deliverDue(deliverer);
  const event = JSON.parse(one.received[0]!.body) as unknown;
  expect(webhookEvent.parse(event)).toMatchObject({
    type: "webhook.test",
    data: { endpoint_id: endpointRef },
  });
  await redeliver(world.deps, actorOf(project), { endpointRef, eventId });
  await deliverDue(deliverer);
  expect(typesOf(one)).toEqual(["webhook.test", "webhook.test"]);
  expect(secret).toMatch(/^whsec_/);
  await sendTest(webhookDeps(world), actorOf(project), { endpointRef });
  await deleteEndpoint(world.deps, actorOf(project), { endpointRef });
  await deliverDue(deliverer);
  expect(one.received).toHaveLength(2);
  expect(await listEndpoints(world.deps, project)).toEqual([]);
  await expect(logOf(project, endpointRef)).rejects.toMatchObject({ code: "not_found" });
});

test("a project has at most ten endpoints", async () => {
  const project = await world.project();
  const create = () => anEndpoint(world, project, { url: "https://example.com/" });
  const results = await Promise.allSettled(Array.from({ length: 12 }, create));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
  expect(await listEndpoints(world.deps, project)).toHaveLength(10);
});

test("after 30 days events, deliveries and tries are deleted, and endpoints that were deleted before", async () => {
  const [project, one] = [await world.project(), await receiver()];
  const { ref: endpointRef } = await anEndpoint(world, project, one);
  await anEndpoint(world, project, one);
  await aStoredFile(project);
  await deliverDue(replica());
  await deleteEndpoint(world.deps, actorOf(project), { endpointRef });
  const counts = async () => {
    const names = ["webhook_endpoints", "webhook_events", "webhook_deliveries", "webhook_attempts"];
    return Promise.all(
      names.map(async (name) => {
        const [row] = await world.rows<{ count: number }>(
          `select count(*)::int as count from ${name} where project_id = $1`,
          [project.id],
        );
        return row!.count;
      }),
    );
  };
  world.advance(29 * DAY_MS);
  while (await deleteOldEvents(world.deps)) continue;
  expect(await counts()).toEqual([2, 1, 2, 2]);
  world.advance(2 * DAY_MS);
  while (await deleteOldEvents(world.deps)) continue;
  expect(await counts()).toEqual([1, 0, 0, 0]);
});
