import * as z from "zod";
import { timestamp } from "./fields.js";
import { file } from "./file.js";
import { tenant } from "./tenant.js";

const project_ref = z.string().describe("The project that the event belongs to.");
const fileData = file.extend({ project_ref });
const tenantData = tenant.extend({ project_ref });
const scannedData = fileData.extend({
  scan_status: z.enum(["clean", "infected", "unscannable"]),
  signature: z.string().nullable().describe("What the scanner found. Null unless the file is infected."),
});
const testData = z.object({ project_ref, endpoint_id: z.string() });

/**
 * The body of a webhook, as the service sends it: a union by `type`. It has the shape of Standard Webhooks 1.0.
 *
 * Not `z.discriminatedUnion`: zod 4.0 declares its type with other parameters than later versions, so customers with zod 4.0 would
 * get events of type `any`.
 */
export const webhookEvent = z.union([
  eventOf("file.stored", fileData),
  eventOf("file.deleted", fileData),
  eventOf("file.expired", fileData),
  eventOf("file.restored", fileData),
  eventOf("file.updated", fileData),
  eventOf("file.scanned", scannedData),
  eventOf("tenant.created", tenantData),
  eventOf("tenant.quota_reached", tenantData),
  eventOf("tenant.quota_cleared", tenantData),
  eventOf("webhook.test", testData),
]);
export type WebhookEvent = z.infer<typeof webhookEvent>;
/** The name of an event, such as `file.stored`. */
export type WebhookEventType = WebhookEvent["type"];

/** The events that an endpoint can choose. `webhook.test` is sent only when an operator asks for it. */
export const webhookEventTypes = [
  "file.stored",
  "file.deleted",
  "file.expired",
  "file.restored",
  "file.updated",
  "file.scanned",
  "tenant.created",
  "tenant.quota_reached",
  "tenant.quota_cleared",
] as const satisfies readonly WebhookEventType[];
export type ChosenWebhookEventType = (typeof webhookEventTypes)[number];

/** When each event is sent. OpenAPI and the dashboard show these texts. */
export const webhookEventSummaries: Readonly<Record<WebhookEventType, string>> = {
  "file.stored": "The bytes of a file were found in storage, or a repeated PUT has changed them.",
  "file.deleted":
    "A file can no longer be used: it was deleted, moved into the trash, its time was over, or its bytes did not fit the quota.",
  "file.expired":
    "An upload ended without its bytes: its URL expired, or its parts were not all sent in time. Or storage lost the bytes of a file.",
  "file.restored": "A file was taken out of the trash.",
  "file.updated": "The filename, the folder or the metadata of a file was changed.",
  "file.scanned": "A file has a verdict of the virus scan.",
  "tenant.created": "A tenant requested its first upload.",
  "tenant.quota_reached": "An upload was refused for the quota of its tenant, or the quota is used up.",
  "tenant.quota_cleared": "A tenant that had reached its quota has enough space again.",
  "webhook.test": "An operator asked for a test of the endpoint.",
};

/** The headers of a webhook. Node and the Fetch standard return names in lower case. */
export const webhookHeaders = z.object({
  "webhook-id": z
    .string()
    .describe(
      "Identifies the event. It is the same in each delivery, so a receiver can recognise duplicates.",
    ),
  "webhook-timestamp": z
    .string()
    .describe("When this delivery was signed, in seconds since 1970. A receiver refuses old ones."),
  "webhook-signature": z
    .string()
    .describe(
      "One or more signatures, separated by spaces: `v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`. There are two while a secret is being rotated.",
    ),
});
export type WebhookHeaders = z.infer<typeof webhookHeaders>;

function eventOf<Type extends string, Data extends z.ZodObject>(type: Type, data: Data) {
  return z.object({
    type: z.literal(type),
    timestamp: timestamp.describe("When the event happened. RFC 3339, UTC."),
    data,
  });
}
