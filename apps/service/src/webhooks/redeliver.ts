import { StowageError } from "@stowage/schemas";
import type { DeliveryInput, EndpointInput, RedeliverSinceInput } from "@stowage/operator-schemas";
import { and, asc, eq, gt, gte, inArray, ne, type SQL } from "drizzle-orm";
import type { ProjectActor } from "#audit/caller.js";
import { auditedTransaction } from "#audit/write-audit.js";
import type { Queries, Transaction } from "#db/client.js";
import { webhookDeliveries, webhookEvents } from "#db/schema/index.js";
import type { RandomBytes } from "#lib/random.js";
import { type EndpointRow, lockEndpoint } from "./endpoint-record.js";
import { createEventId, firstEventIdAt } from "./event-id.js";
import { fanOutProject } from "./fan-out-events.js";

export interface RedeliverDeps {
  db: Queries;
  clock: () => Date;
}

export interface Redelivered {
  /** How many events are sent again. */
  redelivered: number;
  /** The `after` of the next call; null if there are no more. */
  next: string | null;
}

/** Also sends an event again that was delivered before. @throws {StowageError} `not_found`, `invalid_request`, `unavailable` */
export async function redeliver(
  deps: RedeliverDeps,
  actor: ProjectActor,
  { endpointRef, eventId }: DeliveryInput,
): Promise<void> {
  const { project } = actor;
  await auditedTransaction(deps, actor, async (_, tx) => {
    const endpoint = await lockEnabled(tx, actor, endpointRef);
    const restarted = await restart(tx, deps, endpoint, eq(webhookDeliveries.event, eventId));
    if (restarted === 0) throw new StowageError("not_found", { detail: "Delivery not found" });
    const details = { endpoint: endpointRef, eventId };
    return { result: undefined, entry: { action: "webhook.redelivered", projectId: project.id, details } };
  });
}

/** How many events one call sends again, so that its transaction is short. */
const BATCH_SIZE = 1000;

/**
 * Sends the events since a moment again, oldest first, except those that are waiting anyway. Includes delivered and skipped ones.
 * Call it with the `next` of its answer until that is null.
 *
 * @throws {StowageError} `not_found`; `invalid_request` if the endpoint is disabled; `unavailable`
 */
export async function redeliverSince(
  deps: RedeliverDeps,
  actor: ProjectActor,
  { endpointRef, since, after }: RedeliverSinceInput,
): Promise<Redelivered> {
  const { project } = actor;
  // Events of a moment ago, when the endpoint may have been disabled, become deliveries first.
  await fanOutProject(deps.db, project.id);
  return auditedTransaction(deps, actor, async (_, tx) => {
    const endpoint = await lockEnabled(tx, actor, endpointRef);
    const from = firstEventIdAt(new Date(Math.max(0, Date.parse(since))));
    const rows = await tx
      .select({ event: webhookDeliveries.event })
      .from(webhookDeliveries)
      .where(
        and(
          isOf(endpoint),
          gte(webhookDeliveries.event, from),
          after === undefined ? undefined : gt(webhookDeliveries.event, after),
          ne(webhookDeliveries.state, "pending"),
        ),
      )
      .orderBy(asc(webhookDeliveries.event))
      .limit(BATCH_SIZE);
    const events = rows.map(({ event }) => event);
    const redelivered =
      events.length === 0 ? 0 : await restart(tx, deps, endpoint, inArray(webhookDeliveries.event, events));
    const details = { endpoint: endpointRef, since, events: redelivered };
    return {
      result: { redelivered, next: events.length < BATCH_SIZE ? null : events.at(-1)! },
      entry: redelivered === 0 ? null : { action: "webhook.redelivered", projectId: project.id, details },
    };
  });
}

/** @throws {StowageError} `not_found`, `invalid_request` */
async function lockEnabled(tx: Transaction, { project }: ProjectActor, ref: string): Promise<EndpointRow> {
  const endpoint = await lockEndpoint(tx, project, ref);
  if (endpoint.disabledAt !== null)
    throw new StowageError("invalid_request", { detail: "The endpoint is disabled; enable it first" });
  return endpoint;
}

/** @returns how many deliveries start again from their first try */
async function restart(
  tx: Transaction,
  deps: RedeliverDeps,
  endpoint: EndpointRow,
  which: SQL,
): Promise<number> {
  const rows = await tx
    .update(webhookDeliveries)
    .set({ state: "pending", attempts: 0, nextAttemptAt: deps.clock(), deliveredAt: null })
    .where(and(isOf(endpoint), which))
    .returning({ event: webhookDeliveries.event });
  return rows.length;
}

function isOf({ projectId, id }: EndpointRow): SQL | undefined {
  return and(eq(webhookDeliveries.projectId, projectId), eq(webhookDeliveries.endpoint, id));
}

/**
 * Sends a `webhook.test` to an endpoint, through the outbox like every event. The log of deliveries shows its result.
 *
 * @throws {StowageError} `not_found`; `invalid_request` if the endpoint is disabled; `unavailable`
 */
export async function sendTest(
  deps: RedeliverDeps & { randomBytes: RandomBytes },
  actor: ProjectActor,
  { endpointRef }: EndpointInput,
): Promise<{ eventId: string }> {
  const { project } = actor;
  return auditedTransaction(deps, actor, async (_, tx) => {
    const endpoint = await lockEnabled(tx, actor, endpointRef);
    const at = deps.clock();
    const id = createEventId(at, deps.randomBytes);
    const subject = `test:${id}`;
    const data = { endpoint_ref: endpoint.ref };
    await tx
      .insert(webhookEvents)
      .values({ projectId: project.id, id, type: "webhook.test", subject, data, at });
    await tx.insert(webhookDeliveries).values({
      projectId: project.id,
      endpoint: endpoint.id,
      event: id,
      subject,
      seq: 0,
      state: "pending",
      nextAttemptAt: at,
    });
    const details = { endpoint: endpointRef };
    return { result: { eventId: id }, entry: { action: "webhook.tested", projectId: project.id, details } };
  });
}
