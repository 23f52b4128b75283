import { StowageError } from "@stowage/schemas";
import type { DeliveriesListInput, DeliveryInput, WebhookDeliveryState } from "@stowage/schemas/dashboard";
import { and, asc, count, desc, eq, gt, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { Drizzle, Queries } from "#db/client.js";
import { webhookAttempts, webhookDeliveries, webhookEndpoints, webhookEvents } from "#db/schema/index.js";
import { type BoundedCount, boundedCount, MAX_COUNT } from "#lib/bounded-count.js";
import { type Place, readPlace, writePlace } from "#lib/cursor.js";
import { cutAt, type Part, readPage } from "#lib/read-page.js";
import type { Project } from "#projects/find-project.js";
import { type EndpointRow, isEndpointOf, requireEndpoint } from "./endpoint-record.js";
import { renderEvent } from "./render-event.js";

/** An event for an endpoint, as the log shows it. */
export interface DeliveryRecord {
  eventId: string;
  type: string;
  /** What it is about, such as `file:12`. */
  subject: string;
  /** The tenant that it is about, or whose file; null for a test. */
  tenantId: string | null;
  /** The name of the file; null if it is not about a file. */
  filename: string | null;
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
  /** Null on the first page. */
  previousCursor: string | null;
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
  const place = readDeliveryPlace(cursor);
  return deps.db.run(async (db) => {
    const endpoint = await findEndpoint(db, project, endpointRef);
    const page = await readPage({
      place,
      read: (reading) => readRows(db, endpoint, { ...reading, onlyUndelivered, limit }),
      positionOf,
    });
    const heads = await readHeads(
      db,
      project,
      page.rows.map(({ event }) => event),
    );
    return {
      deliveries: page.rows.map((row) => toDeliveryRecord(row, heads.get(row.event))),
      previousCursor: writePlace(LIST, page.previous),
      nextCursor: writePlace(LIST, page.next),
    };
  });
}

const LIST = "deliveries";
const IS_UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type DeliveryRow = typeof webhookDeliveries.$inferSelect;
/** Ids of events sort by time. */
type Position = [event: string];
const positionOf = ({ event }: DeliveryRow): Position => [event];

/** @throws {StowageError} `invalid_request` */
function readDeliveryPlace(cursor: string | undefined): Place<Position> | undefined {
  const place = readPlace(LIST, ["string"], cursor);
  if (place && !IS_UUID.test(place.at[0]))
    throw new StowageError("invalid_request", { detail: "cursor is not valid" });
  return place;
}

async function readRows(
  db: Drizzle,
  endpoint: EndpointRow,
  reading: { isBackward: boolean; after: Position | undefined; onlyUndelivered: boolean; limit: number },
): Promise<Part<DeliveryRow, Position>> {
  const { isBackward, after, onlyUndelivered, limit } = reading;
  const [direction, isBeyond] = isBackward ? [asc, gt] : [desc, lt];
  const rows = await db
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.projectId, endpoint.projectId),
        eq(webhookDeliveries.endpoint, endpoint.id),
        after && isBeyond(webhookDeliveries.event, after[0]),
        onlyUndelivered ? isUndelivered() : undefined,
      ),
    )
    .orderBy(direction(webhookDeliveries.event))
    .limit(limit + 1);
  return cutAt(rows, limit, positionOf);
}

/** The condition of the index `webhook_deliveries_undelivered`. */
function isUndelivered(): SQL {
  return inArray(webhookDeliveries.state, ["failed", "skipped"]);
}

/** @throws {StowageError} `not_found` */
async function findEndpoint(db: Drizzle, project: Project, ref: string): Promise<EndpointRow> {
  const [row] = await db.select().from(webhookEndpoints).where(isEndpointOf(project, ref));
  return requireEndpoint(row);
}

type EventHead = Pick<typeof webhookEvents.$inferSelect, "type" | "at"> & {
  tenantId: string | null;
  filename: string | null;
};

const eventHead = {
  type: webhookEvents.type,
  at: webhookEvents.at,
  tenantId: sql<string | null>`${webhookEvents.data} ->> 'tenant_id'`,
  filename: sql<string | null>`${webhookEvents.data} ->> 'filename'`,
};

async function readHeads(db: Drizzle, project: Project, ids: string[]): Promise<Map<string, EventHead>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: webhookEvents.id, ...eventHead })
    .from(webhookEvents)
    .where(and(eq(webhookEvents.projectId, project.id), inArray(webhookEvents.id, ids)));
  return new Map(rows.map((row) => [row.id, row]));
}

/** @param event undefined if the retention deleted it a moment ago */
function toDeliveryRecord(row: DeliveryRow, event: EventHead | undefined): DeliveryRecord {
  return {
    eventId: row.event,
    type: event?.type ?? "",
    subject: row.subject,
    tenantId: event?.tenantId ?? null,
    filename: event?.filename ?? null,
    at: (event?.at ?? new Date(0)).toISOString(),
    state: row.state,
    attempts: row.attempts,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
    lastStatus: row.lastStatus,
  };
}

/** Counts what {@link listDeliveries} lists with `onlyUndelivered`. */
export async function countUndelivered(
  db: Drizzle,
  { projectId, id }: Pick<EndpointRow, "projectId" | "id">,
): Promise<BoundedCount> {
  const undelivered = db
    .select({ event: webhookDeliveries.event })
    .from(webhookDeliveries)
    .where(
      and(eq(webhookDeliveries.projectId, projectId), eq(webhookDeliveries.endpoint, id), isUndelivered()),
    )
    .limit(MAX_COUNT + 1)
    .as("undelivered");
  const [row] = await db.select({ count: count() }).from(undelivered);
  return boundedCount(row!.count, false);
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
      .select({ delivery: webhookDeliveries, event: webhookEvents, head: eventHead })
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
      ...toDeliveryRecord(row.delivery, row.head),
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
