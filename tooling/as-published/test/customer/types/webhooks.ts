import { createServer } from "node:http";
import { toExpressHandler } from "@stowage/server/express";
import { toFastifyPlugin } from "@stowage/server/fastify";
import { toHonoHandler } from "@stowage/server/hono";
import { toNextHandlers } from "@stowage/server/next";
import { toNodeHandler } from "@stowage/server/node";
import {
  verifyWebhook,
  webhookHandler,
  WebhookVerificationError,
  type WebhookErrorCode,
  type WebhookEvent,
} from "@stowage/server/webhooks";

const secret = process.env["STOWAGE_WEBHOOK_SECRET"];
const paths = new Map<string, number | null>();

const webhooks = webhookHandler({
  secret,
  on: {
    "file.stored": async ({ id, data }) => void paths.set(`${id} ${data.filePath}`, data.size),
    "file.scanned": ({ data }) => data.scanStatus === "infected" && paths.delete(data.filePath),
    "tenant.quota_reached": ({ data }, { request }) => [data.usedBytes, data.projectRef, request.url],
  },
});

export const { POST } = toNextHandlers(() => webhooks);
export const plugin = toFastifyPlugin(webhooks);
export const answer = toHonoHandler(webhooks);
export const middleware = toExpressHandler(webhooks);
export const server = createServer(toNodeHandler(webhooks));

export async function receive(
  request: Request,
): Promise<WebhookEvent["type"] | "refused" | WebhookErrorCode> {
  try {
    const event = await verifyWebhook(request, [secret, process.env["PREVIOUS"]], { toleranceSeconds: 60 });
    if (event.type === "webhook.test") return event.data.endpointId === "" ? "refused" : event.type;
    if (event.type === "tenant.created") return event.data.fileCount === 0 ? event.type : "refused";
    return event.type;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.code;
    throw error;
  }
}

export const misuses = [
  // @ts-expect-error: an event that does not exist
  () => webhookHandler({ secret, on: { "file.saved": () => undefined } }),
  // @ts-expect-error: a tenant's event has no file
  () => webhookHandler({ secret, on: { "tenant.created": ({ data }) => data.filePath } }),
  // @ts-expect-error: a secret is missing
  () => webhookHandler({ on: {} }),
  // @ts-expect-error: parsed JSON is not the body
  () => verifyWebhook({ headers: {}, body: { type: "file.stored" } }, secret),
];
