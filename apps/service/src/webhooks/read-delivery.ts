import { StowageError } from "@stowage/schemas";
import type { DeliveryInput } from "@stowage/operator-schemas";
import { and, desc, eq } from "drizzle-orm";
import type { Drizzle, Queries } from "#db/client.js";
import { webhookAttempts, webhookDeliveries, webhookEvents } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { type DeliveryRecord, eventHead, toDeliveryRecord } from "./delivery-record.js";
import { type EndpointRow, findEndpoint } from "./endpoint-record.js";
import { renderEvent } from "./render-event.js";
import type { ServiceLimits } from "#tenants/tenant-record.js";

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

const MAX_TRIES = 100;

/**
 * Reads a delivery with its request and its tries.
 *
 * @throws {StowageError} `not_found`, `unavailable`
 */
export async function readDelivery(
  deps: { db: Queries } & ServiceLimits,
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
    const { defaultQuotaBytes, defaultLimits } = deps;
    return {
      ...toDeliveryRecord(row.delivery, row.head),
      request: renderEvent(row.event, { projectRef: project.ref, defaultQuotaBytes, defaultLimits }),
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
