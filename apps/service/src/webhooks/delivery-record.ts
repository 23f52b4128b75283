import type { WebhookDeliveryState } from "@stowage/operator-schemas";
import { sql } from "drizzle-orm";
import { type webhookDeliveries, webhookEvents } from "#db/schema/index.js";

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

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;

/** What the log shows of an event. */
export type EventHead = Pick<typeof webhookEvents.$inferSelect, "type" | "at"> & {
  tenantId: string | null;
  filename: string | null;
};

/** The columns of an {@link EventHead}. */
export const eventHead = {
  type: webhookEvents.type,
  at: webhookEvents.at,
  tenantId: sql<string | null>`${webhookEvents.data} ->> 'tenant_id'`,
  filename: sql<string | null>`${webhookEvents.data} ->> 'filename'`,
};

/** @param event undefined if the retention deleted it a moment ago */
export function toDeliveryRecord(row: DeliveryRow, event: EventHead | undefined): DeliveryRecord {
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
