import type { WebhookEvent, WebhookHeaders } from "@stowage/schemas";
import { createHmac, randomBytes } from "node:crypto";

export const aSecret = () => `whsec_${randomBytes(24).toString("base64")}`;

/** An event as the service sends it. */
export const aFileEvent = () =>
  ({
    type: "file.stored",
    timestamp: "2026-01-01T00:00:01.000Z",
    data: {
      project_ref: "p",
      file_path: "projects/p/tenants/t/1_Ünï.txt",
      tenant_id: "user_1",
      filename: "Ünï 文 🎈.txt",
      content_type: "text/plain",
      size: 3,
      status: "stored",
      etag: '"e"',
      metadata: { own_key: "kept as it is" },
      folder: "",
      created_at: "2026-01-01T00:00:00.000Z",
      stored_at: "2026-01-01T00:00:01.000Z",
    },
  }) satisfies WebhookEvent;

/** Signs a body as Standard Webhooks 1.0 says. */
export function signed<Body extends string | Uint8Array>(
  body: Body,
  secret: string,
  { id = "evt_1", at = new Date() }: { id?: string; at?: Date } = {},
): { headers: WebhookHeaders; body: Body } {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const hmac = createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"));
  const signature = hmac.update(`${id}.${timestamp}.`).update(body).digest("base64");
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
  return { headers, body };
}
