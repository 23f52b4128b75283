import { type CountLimits, StowageError } from "@stowage/schemas";
import { deliveryLeaseMs } from "@stowage/operator-schemas";
import { and, eq, isNull } from "drizzle-orm";
import { serviceActor } from "#audit/caller.js";
import { writeAudit } from "#audit/write-audit.js";
import { inTransaction, type Queries } from "#db/client.js";
import { projects, webhookEndpoints } from "#db/schema/index.js";
import { forEachBounded } from "#lib/for-each-bounded.js";
import { addMs } from "#lib/time.js";
import { withoutQuery } from "./endpoint-record.js";
import { noAnswer, type PostWebhook, type WebhookAnswer, type WebhookRequest } from "./post-webhook.js";
import { renderEvent } from "./render-event.js";
import { hasFailedTooLong, nextTryAt, readRetryAfter } from "./retry-schedule.js";
import type { SecretBox } from "./secret-box.js";
import { signWebhook } from "./sign.js";

/**
 * Traces one try of a delivery.
 *
 * @param send sends the webhook with these further headers
 */
export type TraceDelivery = (
  delivery: { type: string; tries: number; traceparent: unknown },
  send: (headers: Record<string, string>) => Promise<WebhookAnswer>,
) => Promise<WebhookAnswer>;

export interface DeliverDeps {
  db: Queries;
  clock: () => Date;
  /** From 0 up to 1, for the jitter of the pauses. */
  random: () => number;
  post: PostWebhook;
  webhookSecrets: SecretBox;
  defaultQuotaBytes: number | null;
  defaultLimits: CountLimits;
  /** @default deliveries are not traced */
  traceDelivery?: TraceDelivery | undefined;
  /** Called with a fault of the service, such as a secret that it cannot decrypt. The log of deliveries has it as a failed try. */
  onError: (error: unknown) => void;
}

/** An endpoint with deliveries that are due. */
export interface DueEndpoint {
  projectId: number;
  endpoint: number;
}

/**
 * Claims due deliveries of one endpoint, sends them, and records each result.
 *
 * @param share.claims how many deliveries to claim at most
 * @param share.concurrency how many of them to send at the same time
 * @param share.mayStart whether the replica still starts requests. The other claimed deliveries are sent after their lease
 * @param share.signal ends the running requests, whose deliveries are sent again after their lease
 * @returns how many deliveries were claimed
 * @throws {StowageError} `unavailable`; the claimed deliveries are sent again after their lease
 */
export async function deliverTo(
  deps: DeliverDeps,
  { projectId, endpoint }: DueEndpoint,
  share: Share,
): Promise<number> {
  const now = deps.clock();
  const lease = addMs(now, deliveryLeaseMs);
  const claimed = await deps.db.execute<Claimed>(CLAIM, [
    projectId,
    endpoint,
    now.toISOString(),
    lease.toISOString(),
    share.claims,
  ]);
  if (claimed.length === 0) return 0;
  const target = await readTarget(deps, projectId, endpoint);
  if (!target) return 0;
  await forEachBounded(claimed, share.concurrency, (delivery) =>
    deliver(deps, target, delivery, { ...share, lease }),
  );
  return claimed.length;
}

export interface Share {
  claims: number;
  concurrency: number;
  mayStart: () => boolean;
  signal: AbortSignal;
}

interface Claimed {
  eventId: string;
  tries: number;
  type: string;
  at: string;
  data: Record<string, unknown>;
}

const CLAIM = `
select event_id as "eventId", tries, kind as type, happened_at as at, snapshot as data
from claim_deliveries($1::bigint, $2::bigint, $3::timestamptz, $4::timestamptz, $5::int)`;

/** An endpoint, with the secrets that sign for it. None if the service cannot decrypt the current one. */
interface Target {
  projectId: number;
  projectRef: string;
  endpoint: number;
  ref: string;
  url: string;
  secrets: string[];
}

async function readTarget(deps: DeliverDeps, projectId: number, endpoint: number): Promise<Target | null> {
  const [row] = await deps.db.run((db) =>
    db
      .select({ endpoint: webhookEndpoints, projectRef: projects.ref })
      .from(webhookEndpoints)
      .innerJoin(projects, eq(projects.id, webhookEndpoints.projectId))
      .where(and(eq(webhookEndpoints.projectId, projectId), eq(webhookEndpoints.id, endpoint))),
  );
  // Deleted since the claim.
  if (!row || row.endpoint.deletedAt !== null) return null;
  const { ref, url } = row.endpoint;
  const secrets = await openSecrets(deps, row.endpoint);
  return { projectId, projectRef: row.projectRef, endpoint, ref, url, secrets };
}

/**
 * Decrypts the current secret and, during a rotation, the previous one. If SIGN_IN_SECRET has changed, an operator rotates the secret:
 * then the new one signs alone.
 */
async function openSecrets(
  { webhookSecrets, clock, onError }: DeliverDeps,
  { secret, previousSecret, previousSecretEndsAt }: typeof webhookEndpoints.$inferSelect,
): Promise<string[]> {
  const isOverlapping = previousSecretEndsAt !== null && previousSecretEndsAt > clock();
  try {
    const current = await webhookSecrets.open(secret);
    if (previousSecret === null || !isOverlapping) return [current];
    return [
      current,
      ...(await webhookSecrets.open(previousSecret).then(
        (text) => [text],
        () => [],
      )),
    ];
  } catch (error) {
    // The keys are in the database. Without it the turn fails, and the deliveries are sent after their lease.
    if (error instanceof StowageError) throw error;
    onError(error);
    return [];
  }
}

async function deliver(
  deps: DeliverDeps,
  target: Target,
  delivery: Claimed,
  { lease, mayStart, signal }: Share & { lease: Date },
): Promise<void> {
  const startedAt = deps.clock();
  // Another replica may send it by now.
  if (startedAt >= lease || !mayStart()) return;
  const { type, tries, data } = delivery;
  const { traceDelivery = (_delivery, post) => post({}) } = deps;
  const answer = await traceDelivery({ type, tries, traceparent: data["traceparent"] }, (headers) =>
    send(deps, target, delivery, { at: startedAt, signal, headers }),
  );
  // Not the endpoint's fault.
  if (answer.status === null && signal.aborted) return;
  await finish(deps, target, delivery, { answer, startedAt, lease });
}

/** Never throws: what cannot be sent is tried again like a failed request, and delays no other delivery of the endpoint. */
async function send(
  deps: DeliverDeps,
  target: Target,
  delivery: Claimed,
  { at, signal, headers }: { at: Date; signal: AbortSignal; headers: Record<string, string> },
): Promise<WebhookAnswer> {
  if (target.secrets.length === 0) return noAnswer("the secret cannot be decrypted; replace the secret");
  let request: WebhookRequest;
  try {
    request = requestOf(deps, target, delivery, at);
  } catch (error) {
    // For example a replica of an older version, which does not know the type of the event.
    deps.onError(error);
    return noAnswer("the service cannot write the event");
  }
  return deps.post({ ...request, headers: { ...request.headers, ...headers } }, signal);
}

function requestOf(
  { defaultQuotaBytes, defaultLimits }: DeliverDeps,
  { url, secrets, projectRef }: Target,
  { eventId: id, type, at: happenedAt, data }: Claimed,
  at: Date,
): WebhookRequest {
  const event = { id, type, at: new Date(happenedAt), data };
  const { webhookId, body } = renderEvent(event, { projectRef, defaultQuotaBytes, defaultLimits });
  const headers = {
    "content-type": "application/json",
    "user-agent": "Stowage-Webhooks",
    ...signWebhook({ id: webhookId, at, body }, secrets),
  };
  return { url, headers, body };
}

const GONE = 410;

async function finish(
  deps: DeliverDeps,
  target: Target,
  { eventId, tries }: Claimed,
  { answer, startedAt, lease }: { answer: WebhookAnswer; startedAt: Date; lease: Date },
): Promise<void> {
  const now = deps.clock();
  const { status, head } = answer;
  const isDelivered = status !== null && status >= 200 && status < 300;
  const retryAfterMs = readRetryAfter(answer.retryAfter, now);
  const isFinal = isDelivered || status === GONE;
  const retryAt = isFinal ? null : nextTryAt(tries, { now, retryAfterMs, random: deps.random() });
  const verdict = isDelivered ? "delivered" : retryAt === null ? "failed" : "pending";
  const [row] = await deps.db.execute<{ failingSince: string | null }>(FINISH, [
    target.projectId,
    target.endpoint,
    eventId,
    lease.toISOString(),
    now.toISOString(),
    verdict,
    retryAt?.toISOString() ?? null,
    status,
    now.getTime() - startedAt.getTime(),
    isDelivered ? null : (answer.error ?? `the answer was ${status}`),
    head,
  ]);
  const failingSince = row?.failingSince ?? null;
  if (status === GONE) await disable(deps, target, "gone");
  else if (failingSince !== null && hasFailedTooLong(new Date(failingSince), now))
    await disable(deps, target, "failing");
}

const FINISH = `
select failing_since as "failingSince" from finish_delivery($1::bigint, $2::bigint, $3::uuid, $4::timestamptz, $5::timestamptz,
  $6::webhook_delivery_state, $7::timestamptz, $8::int, $9::int, $10::text, $11::text) as finished (failing_since)`;

/** The deliveries that are waiting are skipped when they are due. */
async function disable(deps: DeliverDeps, target: Target, reason: "gone" | "failing"): Promise<void> {
  const at = deps.clock();
  await inTransaction(deps.db, async (_, tx) => {
    const disabled = await tx
      .update(webhookEndpoints)
      .set({ disabledAt: at, disabledReason: reason })
      .where(
        and(
          eq(webhookEndpoints.projectId, target.projectId),
          eq(webhookEndpoints.id, target.endpoint),
          isNull(webhookEndpoints.disabledAt),
        ),
      )
      .returning({ disabledAt: webhookEndpoints.disabledAt });
    if (disabled.length === 0) return;
    const details = { endpoint: target.ref, url: withoutQuery(target.url), reason };
    const entry = { action: "webhook.disabled", projectId: target.projectId, details } as const;
    await writeAudit(tx, { ...serviceActor, at }, entry);
  });
}
