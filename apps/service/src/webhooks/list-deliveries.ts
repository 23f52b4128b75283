import { StowageError } from "@stowage/schemas";
import type { DeliveriesListInput } from "@stowage/operator-schemas";
import { and, asc, count, desc, eq, gt, inArray, lt, sql } from "drizzle-orm";
import type { Drizzle, Queries } from "#db/client.js";
import { IS_UNDELIVERED } from "#db/schema/conditions.js";
import { webhookDeliveries, webhookEvents } from "#db/schema/index.js";
import { type BoundedCount, boundedCount, MAX_COUNT } from "#lib/bounded-count.js";
import { type Place, readPlace, writePlace } from "#lib/cursor.js";
import { cutAt, type Part, readPage } from "#lib/read-page.js";
import type { Project } from "#projects/find-project.js";
import {
  type DeliveryRecord,
  type DeliveryRow,
  type EventHead,
  eventHead,
  toDeliveryRecord,
} from "./delivery-record.js";
import { type EndpointRow, findEndpoint } from "./endpoint-record.js";

export interface DeliveriesPage {
  deliveries: DeliveryRecord[];
  /** Null on the first page. */
  previousCursor: string | null;
  /** Null on the last page. */
  nextCursor: string | null;
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
        onlyUndelivered ? sql.raw(IS_UNDELIVERED) : undefined,
      ),
    )
    .orderBy(direction(webhookDeliveries.event))
    .limit(limit + 1);
  return cutAt(rows, limit, positionOf);
}

async function readHeads(db: Drizzle, project: Project, ids: string[]): Promise<Map<string, EventHead>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: webhookEvents.id, ...eventHead })
    .from(webhookEvents)
    .where(and(eq(webhookEvents.projectId, project.id), inArray(webhookEvents.id, ids)));
  return new Map(rows.map((row) => [row.id, row]));
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
      and(
        eq(webhookDeliveries.projectId, projectId),
        eq(webhookDeliveries.endpoint, id),
        sql.raw(IS_UNDELIVERED),
      ),
    )
    .limit(MAX_COUNT + 1)
    .as("undelivered");
  const [row] = await db.select({ count: count() }).from(undelivered);
  return boundedCount(row!.count, false);
}
