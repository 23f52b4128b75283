import { WEBHOOK_SECRET_PREFIX, type WebhookHeaders } from "@stowage/schemas";
import { createHmac } from "node:crypto";
import type { RandomBytes } from "#lib/random.js";

export interface Delivery {
  /** The same in each delivery of an event, so that a receiver can recognise duplicates. */
  id: string;
  /** When this delivery is sent. Receivers refuse old ones. */
  at: Date;
  /** The exact text that is sent. */
  body: string;
}

/**
 * Returns the headers that prove where a webhook comes from, by Standard Webhooks 1.0
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
 *
 * @param secrets the current secret and, while it is being rotated, the previous one. Each adds a signature
 */
export function signWebhook({ id, at, body }: Delivery, secrets: readonly string[]): WebhookHeaders {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const hmac = createHmac("sha256", keyOf(secret)).update(`${id}.${timestamp}.${body}`);
    return `v1,${hmac.digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

/** Makes a secret of `whsec_` and the base64 of 256 random bits. */
export function generateWebhookSecret(randomBytes: RandomBytes): string {
  return WEBHOOK_SECRET_PREFIX + Buffer.from(randomBytes(32)).toString("base64");
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(WEBHOOK_SECRET_PREFIX.length), "base64");
}
