import { StowageError } from "@stowage/schemas";
import type { WebhookDisabledReason } from "@stowage/operator-schemas";
import { and, eq, isNull, type SQL } from "drizzle-orm";
import type { Drizzle, Transaction } from "#db/client.js";
import { webhookEndpoints } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";

/** An endpoint as the verbs return it. The secret is shown only when it is made. */
export interface EndpointRecord {
  ref: string;
  url: string;
  description: string;
  /** The types of events that it wants: see `webhookEventTypes`. */
  events: string[];
  createdAt: string;
  /** Since when nothing is sent to it; null for an endpoint in use. */
  disabledAt: string | null;
  disabledReason: WebhookDisabledReason | null;
  /** The first failure since the last success; null while deliveries succeed. */
  failingSince: string | null;
  /** Until when the secret before the last rotation signs too; null if there is none. */
  previousSecretEndsAt: string | null;
}

export type EndpointRow = typeof webhookEndpoints.$inferSelect;

export function toEndpointRecord(row: EndpointRow, now: Date): EndpointRecord {
  const isOverlapping = row.previousSecretEndsAt !== null && row.previousSecretEndsAt > now;
  return {
    ref: row.ref,
    url: row.url,
    description: row.description,
    events: row.events,
    createdAt: row.createdAt.toISOString(),
    disabledAt: row.disabledAt?.toISOString() ?? null,
    disabledReason: row.disabledReason,
    failingSince: row.failingSince?.toISOString() ?? null,
    previousSecretEndsAt: isOverlapping ? row.previousSecretEndsAt!.toISOString() : null,
  };
}

/** The endpoints of a project that are not deleted. */
export function isEndpointOf(project: Project, ref?: string): SQL | undefined {
  return and(
    eq(webhookEndpoints.projectId, project.id),
    ref === undefined ? undefined : eq(webhookEndpoints.ref, ref),
    isNull(webhookEndpoints.deletedAt),
  );
}

/** @throws {StowageError} `not_found` */
export async function lockEndpoint(tx: Transaction, project: Project, ref: string): Promise<EndpointRow> {
  const [row] = await tx.select().from(webhookEndpoints).where(isEndpointOf(project, ref)).for("update");
  return requireEndpoint(row);
}

/** @throws {StowageError} `not_found` */
export async function findEndpoint(db: Drizzle, project: Project, ref: string): Promise<EndpointRow> {
  const [row] = await db.select().from(webhookEndpoints).where(isEndpointOf(project, ref));
  return requireEndpoint(row);
}

/** @throws {StowageError} `not_found` */
function requireEndpoint(row: EndpointRow | undefined): EndpointRow {
  if (!row) throw new StowageError("not_found", { detail: "Webhook endpoint not found" });
  return row;
}

/** The URL for the audit log, and for operators who may not change it. The query may contain a key. */
export function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
