import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { ProjectWithKey } from "#projects/create-project.js";
import type { EndpointWithSecret } from "#webhooks/manage-endpoints.js";
import { aDatabase } from "../fixtures/a-database.js";
import { verified } from "../fixtures/an-endpoint.js";
import { aHostileReceiver, type HostileReceiver, type Receiving } from "./a-hostile-receiver.js";
import { aKillPointProxy, type KillPoint } from "./a-kill-point.js";
import { aServiceOnProxies, type ServiceOnProxies } from "./a-service-on-proxies.js";
import { fakeInternet } from "./fake-internet.js";
import { type Acknowledged, startLoad } from "./load.js";

/** Every write that makes an event true or changes a delivery. */
const writes: Pick<KillPoint, "statement" | "following">[] = [
  { statement: /admit_uploads/ },
  { statement: /mark_stored\(/ },
  { statement: /emit_file_events\(/ },
  { statement: /^\s*commit/i, following: /emit_file_events\(/ },
  { statement: /fan_out_events\(/ },
  { statement: /claim_deliveries\(/ },
  { statement: /finish_delivery\(/ },
];
const MOMENTS = ["before", "after"] as const;
/** Where the receiver is down or frozen instead, while the service is killed at a write. */
const OUTAGE_EVERY = 5;
/** Each kill costs seconds in which nothing is uploaded. */
const COMPLETED_PER_KILL = 400;
/** A delete waits for the database and for storage. Both together must take less than the load waits for an answer. */
const TIMEOUT_MS = 4000;

/**
 * Kills the service before and after each write and each delivery, in turns, until the load has caused so many events, while the
 * receiver fails in every way. Then checks that each event has arrived, that none is false, and that the signatures are right.
 *
 * @param wanted how many events, at least
 */
export async function expectEveryWebhook(wanted: number): Promise<void> {
  const receiver = await aHostileReceiver();
  const dir = await mkdtemp(join(tmpdir(), "stowage-ca-"));
  const ca = join(dir, "ca.pem");
  await writeFile(ca, receiver.certificate);
  const database = await aDatabase();
  const killer = await aKillPointProxy(database.url);
  const settings = { NODE_EXTRA_CA_CERTS: ca, NODE_OPTIONS: fakeInternet({ isRebinding: true }) };
  const service = await aServiceOnProxies(
    TIMEOUT_MS,
    { url: killer.url, drop: async () => undefined },
    settings,
  );
  try {
    const project = await service.project();
    const endpoints = {
      unreliable: await service.endpoint(project, receiver.urls.unreliable),
      gone: await service.endpoint(project, receiver.urls.gone, ["file.deleted"]),
      rebinding: await service.endpoint(project, receiver.urls.rebinding, ["file.deleted"]),
    };
    const points = [
      ...writes.flatMap((write) => MOMENTS.map((moment) => () => killer.reaches({ ...write, moment }))),
      ...MOMENTS.map((moment) => () => receiver.reaches(moment)),
    ];
    const load = startLoad(service.url, project.apiKey);
    const { completed, deleted } = load.acknowledged;
    // `deleted` has cancelled uploads too, which have no event.
    const caused = () => completed.size + [...deleted].filter((path) => completed.has(path)).length;
    let kills = 0;
    for (; kills < points.length || caused() < wanted; kills++) {
      const interrupt = kills % OUTAGE_EVERY === 0 && kills % points.length < 2 * writes.length;
      if (interrupt) await (kills % 2 === 0 ? receiver.outage.takeDown() : receiver.outage.freeze());
      await points[kills % points.length]!();
      await service.restart();
      await load.completesMore(Math.min(COMPLETED_PER_KILL, Math.ceil(wanted / points.length)));
      if (interrupt) await receiver.outage.bringBack();
    }
    await load.stop();
    await service.expectExact(project, load.acknowledged);
    receiver.recover();
    settings.NODE_OPTIONS = fakeInternet({ isRebinding: false });
    await service.restart();
    await service.reenable(project, endpoints.gone);
    await untilNoneWaits(service);
    await expectAllTold(service, project, load.acknowledged, wanted);
    const events = await eventsOf(service, project);
    expectArrived(events, receiver, endpoints);
    const { received, accepted } = receiver;
    console.log(
      `${events.length} events, ${kills} kills, ${received.length} requests, ${accepted.length} accepted`,
    );
  } finally {
    await service.close();
    await killer.close();
    await database.drop();
    await receiver.close();
    await rm(dir, { recursive: true });
  }
}

const MAX_WAIT_MS = 600_000;
const PAUSE_MS = 5000;

async function untilNoneWaits(service: ServiceOnProxies): Promise<void> {
  const until = Date.now() + MAX_WAIT_MS;
  while ((await service.makeDeliveriesDue()) > 0) {
    expect(Date.now()).toBeLessThan(until);
    await sleep(PAUSE_MS);
  }
}

interface EventRow {
  id: string;
  type: string;
  path: string;
  size: string | null;
}

const eventsOf = (service: ServiceOnProxies, { ref }: ProjectWithKey) =>
  service.rows<EventRow>(
    `select e.id, e.type, e.data->>'path' as path, e.data->>'size' as size
     from webhook_events e join projects p on p.id = e.project_id where p.ref = $1`,
    [ref],
  );

/** Compares the outbox with the files. The load's files are never replaced, so each has at most one event of a type. */
async function expectAllTold(
  service: ServiceOnProxies,
  project: ProjectWithKey,
  { requested, put, completed, deleted, deleteTried }: Acknowledged,
  wanted: number,
): Promise<void> {
  const events = await eventsOf(service, project);
  expect(events.length).toBeGreaterThanOrEqual(wanted);
  const files = await service.rows<{ path: string; size: string; status: string }>(
    `select f.path, f.size, f.status from files f join projects p on p.id = f.project_id where p.ref = $1`,
    [project.ref],
  );
  const left = new Set(files.map(({ path }) => path));
  const stored = new Map(events.filter(({ type }) => type === "file.stored").map((e) => [e.path, e.size]));
  const gone = new Set(events.filter(({ type }) => type === "file.deleted").map(({ path }) => path));
  const wrong: string[] = [];
  if (stored.size + gone.size !== events.length) wrong.push("an event was written twice");
  for (const { path, size, status } of files)
    if (status === "stored" && stored.get(path) !== size) wrong.push(`stored, not told: ${path}`);
  for (const [path, size] of completed)
    if (stored.get(path) !== String(size)) wrong.push(`completed, not told: ${path}`);
  for (const path of deleted)
    if (completed.has(path) && !gone.has(path)) wrong.push(`deleted, not told: ${path}`);
  for (const [path, size] of stored) {
    if (!left.has(path) && !gone.has(path)) wrong.push(`no longer there, not told: ${path}`);
    if (!requested.has(path) || (put.has(path) && String(put.get(path)) !== size))
      wrong.push(`stored is false: ${path}`);
  }
  for (const path of gone)
    if (left.has(path) || !deleteTried.has(path) || !stored.has(path))
      wrong.push(`deleted is false: ${path}`);
  expect(wrong).toEqual([]);
}

/** Compares the outbox with what has arrived at each endpoint. */
function expectArrived(
  events: EventRow[],
  { received, accepted, trapped }: HostileReceiver,
  endpoints: Record<Receiving, EndpointWithSecret>,
): void {
  expect(trapped).toEqual([]);
  for (const [name, { secret }] of Object.entries(endpoints)) {
    const tries = new Map<string, string>();
    for (const one of received.filter(({ path }) => path === `/${name}`)) {
      const event = verified(one, secret);
      const id = one.headers["webhook-id"];
      const said = `${event.type} ${String(event.data["file_path"])} ${String(event.data["size"])}`;
      expect(tries.get(String(id)) ?? said).toBe(said);
      tries.set(String(id), said);
    }
    const wanted = events.filter(({ type }) => name === "unreliable" || type === "file.deleted");
    const told = new Map(wanted.map((event) => [`evt_${event.id}`, event]));
    const isUnknown = ([id, said]: [string, string]) => {
      const event = told.get(id);
      return !event || said !== `${event.type} ${event.path} ${event.size}`;
    };
    expect([...tries].filter(isUnknown)).toEqual([]);
    const arrived = new Set(
      accepted.filter(({ path }) => path === `/${name}`).map(({ headers }) => String(headers["webhook-id"])),
    );
    expect([...told.keys()].filter((id) => !arrived.has(id))).toEqual([]);
    expectOrder(accepted.filter(({ path }) => path === `/${name}`));
  }
}

/** The first arrivals of a file's events are in their order. */
function expectOrder(accepted: HostileReceiver["accepted"]): void {
  const gone = new Set<string>();
  const stored = new Set<string>();
  for (const { body, path } of accepted) {
    const { type, data } = JSON.parse(body) as { type: string; data: { file_path: string } };
    if (type === "file.deleted") gone.add(data.file_path);
    else if (gone.has(data.file_path) && !stored.has(data.file_path))
      throw new Error(`deleted before stored at ${path}: ${data.file_path}`);
    else stored.add(data.file_path);
  }
}
