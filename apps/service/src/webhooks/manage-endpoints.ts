import { StowageError } from "@stowage/schemas";
import {
  type ChangeEndpointInput,
  type CreateEndpointInput,
  type EndpointInput,
  MAX_WEBHOOK_ENDPOINTS,
} from "@stowage/operator-schemas";
import { and, asc, eq } from "drizzle-orm";
import { type AuditEntry, auditedTransaction } from "#audit/write-audit.js";
import type { ProjectActor } from "#audit/caller.js";
import type { Queries } from "#db/client.js";
import type { BoundedCount } from "#lib/bounded-count.js";
import { webhookEndpoints } from "#db/schema/index.js";
import { randomRef, type RandomBytes } from "#lib/random.js";
import { addMs, DAY_MS } from "#lib/time.js";
import type { Project } from "#projects/find-project.js";
import { lockProject } from "#projects/lock-project.js";
import {
  type EndpointRecord,
  type EndpointRow,
  isEndpointOf,
  lockEndpoint,
  toEndpointRecord,
  withoutQuery,
} from "./endpoint-record.js";
import { countUndelivered } from "./list-deliveries.js";
import { type AddressPolicy, requireAllowedUrl } from "./judge-address.js";
import type { SecretBox } from "./secret-box.js";
import { generateWebhookSecret } from "./sign.js";

export interface ManageEndpointsDeps {
  db: Queries;
  clock: () => Date;
  randomBytes: RandomBytes;
  webhookSecrets: SecretBox;
  webhookAddresses: AddressPolicy;
}

/** The secret is not shown again. */
export type EndpointWithSecret = EndpointRecord & { secret: string };

/** An endpoint in the list of a project. */
export type EndpointInList = EndpointRecord & {
  /** Events of the last 30 days that it did not get: deliveries that were given up or skipped. */
  undelivered: BoundedCount;
};

/**
 * Lists the webhook endpoints of a project, oldest first. There are at most ten.
 *
 * @param options.hidesQueries leaves out the queries of the URLs, which may contain a secret. @default false
 * @throws {StowageError} `unavailable`
 */
export async function listEndpoints(
  deps: { db: Queries; clock: () => Date },
  project: Project,
  { hidesQueries = false } = {},
): Promise<EndpointInList[]> {
  return deps.db.run(async (db) => {
    const rows = await db
      .select()
      .from(webhookEndpoints)
      .where(isEndpointOf(project))
      .orderBy(asc(webhookEndpoints.createdAt), asc(webhookEndpoints.ref));
    const endpoints: EndpointInList[] = [];
    // One after the other, because a call has one connection.
    for (const row of rows)
      endpoints.push({
        ...toEndpointRecord(row, deps.clock()),
        ...(hidesQueries && { url: withoutQuery(row.url) }),
        undelivered: await countUndelivered(db, row),
      });
    return endpoints;
  });
}

/**
 * Adds an endpoint. It gets the events that happen from then on.
 *
 * @throws {StowageError} `invalid_request` for an eleventh endpoint, or an address that is not allowed; `not_found`, `unavailable`
 */
export async function createEndpoint(
  deps: ManageEndpointsDeps,
  actor: ProjectActor,
  { url, description, events }: CreateEndpointInput,
): Promise<EndpointWithSecret> {
  requireAllowedUrl(deps.webhookAddresses, url);
  const { project } = actor;
  const secret = generateWebhookSecret(deps.randomBytes);
  const sealed = await deps.webhookSecrets.seal(secret);
  return auditedTransaction(deps, actor, async (_, tx) => {
    await lockProject(tx, project);
    const others = await tx
      .select({ id: webhookEndpoints.id })
      .from(webhookEndpoints)
      .where(isEndpointOf(project));
    if (others.length >= MAX_WEBHOOK_ENDPOINTS) {
      throw new StowageError("invalid_request", {
        detail: `A project can have at most ${MAX_WEBHOOK_ENDPOINTS} webhook endpoints`,
      });
    }
    const [row] = await tx
      .insert(webhookEndpoints)
      .values({
        projectId: project.id,
        ref: randomRef(deps.randomBytes),
        url,
        description,
        events,
        secret: sealed,
        createdAt: deps.clock(),
      })
      .returning();
    const result = { ...toEndpointRecord(row!, deps.clock()), secret };
    return { result, entry: entryOf(project, "webhook.created", row!, { events: events.join(", ") }) };
  });
}

/**
 * Changes an endpoint. Events that are waiting go to the new URL. Enabling it again also forgets that it was failing.
 *
 * @throws {StowageError} `not_found`; `invalid_request` for an address that is not allowed; `unavailable`
 */
export async function changeEndpoint(
  deps: ManageEndpointsDeps,
  actor: ProjectActor,
  { endpointRef, isEnabled, ...change }: ChangeEndpointInput,
): Promise<EndpointRecord> {
  if (change.url !== undefined) requireAllowedUrl(deps.webhookAddresses, change.url);
  const { project } = actor;
  return auditedTransaction(deps, actor, async (_, tx) => {
    const before = await lockEndpoint(tx, project, endpointRef);
    const now = deps.clock();
    const isSwitched = isEnabled !== undefined && isEnabled !== (before.disabledAt === null);
    const { url = before.url, description = before.description, events = before.events } = change;
    const [row] = await tx
      .update(webhookEndpoints)
      .set({
        url,
        description,
        events,
        ...(isSwitched && (isEnabled ? enabled : { disabledAt: now, disabledReason: "operator" as const })),
      })
      .where(isRow(before))
      .returning();
    const isChanged =
      url !== before.url || description !== before.description || events.join() !== before.events.join();
    const changed = {
      url_before: before.url,
      events_before: before.events.join(", "),
      events: events.join(", "),
    };
    const entry = [
      ...(isChanged ? [entryOf(project, "webhook.changed", row!, changed)] : []),
      ...(isSwitched ? [entryOf(project, isEnabled ? "webhook.enabled" : "webhook.disabled", row!)] : []),
    ];
    return { result: toEndpointRecord(row!, now), entry };
  });
}

const enabled = { disabledAt: null, disabledReason: null, failingSince: null };

/** How long the old secret signs too, so that receivers can change theirs without losing an event. */
const OVERLAP_MS = DAY_MS;

/**
 * Replaces the secret of an endpoint. For a day, each delivery has a signature with the new one and one with the old one.
 *
 * @throws {StowageError} `not_found`, `unavailable`
 */
export async function rotateSecret(
  deps: ManageEndpointsDeps,
  actor: ProjectActor,
  { endpointRef }: EndpointInput,
): Promise<EndpointWithSecret> {
  const { project } = actor;
  const secret = generateWebhookSecret(deps.randomBytes);
  const sealed = await deps.webhookSecrets.seal(secret);
  return auditedTransaction(deps, actor, async (_, tx) => {
    const before = await lockEndpoint(tx, project, endpointRef);
    const now = deps.clock();
    const [row] = await tx
      .update(webhookEndpoints)
      .set({ secret: sealed, previousSecret: before.secret, previousSecretEndsAt: addMs(now, OVERLAP_MS) })
      .where(isRow(before))
      .returning();
    const result = { ...toEndpointRecord(row!, now), secret };
    return { result, entry: entryOf(project, "webhook.secret_rotated", row!) };
  });
}

/**
 * Deletes an endpoint. What was not delivered is not sent any more.
 *
 * @throws {StowageError} `not_found`, `unavailable`
 */
export async function deleteEndpoint(
  deps: { db: Queries; clock: () => Date },
  actor: ProjectActor,
  { endpointRef }: EndpointInput,
): Promise<void> {
  const { project } = actor;
  await auditedTransaction(deps, actor, async (_, tx) => {
    const before = await lockEndpoint(tx, project, endpointRef);
    await tx
      .update(webhookEndpoints)
      .set({ deletedAt: deps.clock(), secret: "", previousSecret: null })
      .where(isRow(before));
    return { result: undefined, entry: entryOf(project, "webhook.deleted", before) };
  });
}

function isRow({ projectId, id }: EndpointRow) {
  return and(eq(webhookEndpoints.projectId, projectId), eq(webhookEndpoints.id, id));
}

function entryOf(
  project: Project,
  action: AuditEntry["action"],
  { ref, url }: Pick<EndpointRow, "ref" | "url">,
  details: AuditEntry["details"] = {},
): AuditEntry {
  const { url_before: before, ...rest } = details;
  return {
    action,
    projectId: project.id,
    details: {
      endpoint: ref,
      url: withoutQuery(url),
      ...(typeof before === "string" && { url_before: withoutQuery(before) }),
      ...rest,
    },
  };
}
