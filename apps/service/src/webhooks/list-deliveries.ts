import { StowageError } from "@stowage/schemas";
import type { DeliveriesListInput, DeliveryInput, WebhookDeliveryState } from "@stowage/schemas/dashboard";
import { and, desc, eq, inArray, lt } from "drizzle-orm";
import type { Drizzle, Queries } from "#db/client.js";
import { webhookAttempts, webhookDeliveries, webhookEndpoints, webhookEvents } from "#db/schema/index.js";
import { readCursor, writeCursor } from "#lib/cursor.js";
import type { Project } from "#projects/find-project.js";
import { type EndpointRow, isEndpointOf, requireEndpoint } from "./endpoint-record.js";
import { renderEvent } from "./render-event.js";

/** An event for an endpoint, as the log shows it. */
export interface DeliveryRecord {
  eventId: string;
  type: string;
  /** What it is about, such as `file:12`. */
  subject: string;
  /** When the event happened. */
  at: string;
  state: WebhookDeliveryState;
  /** Tries since the delivery was last started. */
  attempts: number;
  /** When it is tried next; null unless it is pending. */
  nextAttemptAt: string | null;
  deliveredAt: string | null;
  /** The status of the last answer; null if none arrived. */
  lastStatus: number | null;
}

export interface DeliveriesPage {
  deliveries: DeliveryRecord[];
  /** Null on the last page. */
  nextCursor: string | null;
}

/** One try. */
export interface AttemptRecord {
  at: string;
  /** The status of the answer; null if none arrived. */
  status: number | null;
  durationMs: number;
  /** Why it failed; null if it succeeded. */
  error: string | null;
  /** The first 1,024 bytes of the answer; null if none arrived. */
  answer: string | null;
}

export interface DeliveryDetails extends DeliveryRecord {
  /** What is sent. */
  request: { webhookId: string; body: string };
  /** The newest hundred tries, newest first. */
  tries: AttemptRecord[];
}

/**
 * Lists the deliveries of an endpoint in the last 30 days, newest event first.
 *
 * @throws {StowageError} `not_found`; `invalid_request` for a cursor of another list; `unavailable`
 */
export async function listDeliveries(
  deps: { db: Queries },
  project: Project,
  { endpointRef, onlyUndelivered, cursor, limit }: DeliveriesListInput,
): Promise<DeliveriesPage> {
  const [after] = cursor === undefined ? [] : readCursor(LIST, ["string"], cursor);
  if (after !== undefined && !IS_UUID.test(after))
    throw new StowageError("invalid_request", { detail: "cursor is not valid" });
  return deps.db.run(async (db) => {
    const endpoint = await findEndpoint(db, project, endpointRef);
    const rows = await db
      .select()
      .from(webhookDeliveries)
      .where(
        and(
          eq(webhookDeliveries.projectId, project.id),
          eq(webhookDeliveries.endpoint, endpoint.id),
          after === undefined ? undefined : lt(webhookDeliveries.event, after),
          onlyUndelivered ? inArray(webhookDeliveries.state, ["failed", "skipped"]) : undefined,
        ),
      )
      .orderBy(desc(webhookDeliveries.event))
      .limit(limit + 1);
    const page = rows.slice(0, limit);
    const types = await readTypes(
      db,
      project,
      page.map(({ event }) => event),
    );
    return {
      deliveries: page.map((row) => toDeliveryRecord(row, types.get(row.event))),
      nextCursor: rows.length > limit ? writeCursor(LIST, [page.at(-1)!.event]) : null,
    };
  });
}

const LIST = "deliveries";
const IS_UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @throws {StowageError} `not_found` */
async function findEndpoint(db: Drizzle, project: Project, ref: string): Promise<EndpointRow> {
  const [row] = await db.select().from(webhookEndpoints).where(isEndpointOf(project, ref));
  return requireEndpoint(row);
}

type EventHead = Pick<typeof webhookEvents.$inferSelect, "type" | "at">;

async function readTypes(db: Drizzle, project: Project, ids: string[]): Promise<Map<string, EventHead>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: webhookEvents.id, type: webhookEvents.type, at: webhookEvents.at })
    .from(webhookEvents)
    .where(and(eq(webhookEvents.projectId, project.id), inArray(webhookEvents.id, ids)));
  return new Map(rows.map((row) => [row.id, row]));
}

/** @param event undefined if the retention deleted it a moment ago */
function toDeliveryRecord(
  row: typeof webhookDeliveries.$inferSelect,
  event: EventHead | undefined,
): DeliveryRecord {
  return {
    eventId: row.event,
    type: event?.type ?? "",
    subject: row.subject,
    at: (event?.at ?? new Date(0)).toISOString(),
    state: row.state,
    attempts: row.attempts,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
    lastStatus: row.lastStatus,
  };
}

const MAX_TRIES = 100;

/**
 * Reads a delivery with its request and its tries.
 *
 * @throws {StowageError} `not_found`, `unavailable`
 */
export async function readDelivery(
  deps: { db: Queries; defaultQuotaBytes: number | null },
  project: Project,
  { endpointRef, eventId }: DeliveryInput,
): Promise<DeliveryDetails> {
  return deps.db.run(async (db) => {
    const endpoint = await findEndpoint(db, project, endpointRef);
    const [row] = await db
      .select({ delivery: webhookDeliveries, event: webhookEvents })
      .from(webhookDeliveries)
      .innerJoin(
        webhookEvents,
        and(
          eq(webhookEvents.projectId, webhookDeliveries.projectId),
          eq(webhookEvents.id, webhookDeliveries.event),
        ),
      )
      .where(
        and(
          eq(webhookDeliveries.projectId, project.id),
          eq(webhookDeliveries.endpoint, endpoint.id),
          eq(webhookDeliveries.event, eventId),
        ),
      );
    if (!row) throw new StowageError("not_found", { detail: "Delivery not found" });
    const { defaultQuotaBytes } = deps;
    return {
      ...toDeliveryRecord(row.delivery, row.event),
      request: renderEvent(row.event, { projectRef: project.ref, defaultQuotaBytes }),
      tries: await readTries(db, project, endpoint, eventId),
    };
  });
}

async function readTries(
  db: Drizzle,
  project: Project,
  endpoint: EndpointRow,
  eventId: string,
): Promise<AttemptRecord[]> {
  const rows = await db
    .select()
    .from(webhookAttempts)
    .where(
      and(
        eq(webhookAttempts.projectId, project.id),
        eq(webhookAttempts.endpoint, endpoint.id),
        eq(webhookAttempts.event, eventId),
      ),
    )
    .orderBy(desc(webhookAttempts.at))
    .limit(MAX_TRIES);
  return rows.map(({ at, status, durationMs, error, answer }) => ({
    at: at.toISOString(),
    status,
    durationMs,
    error,
    answer,
  }));
}
