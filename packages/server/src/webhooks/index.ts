export { verifyWebhook, type RawWebhook, type VerifyWebhookOptions } from "./verify-webhook.js";
export { webhookHandler, type WebhookCallbacks, type WebhookHandlerOptions } from "./webhook-handler.js";
export { WebhookVerificationError, type WebhookErrorCode } from "./webhook-verification-error.js";
export type { WebhookSecrets } from "./webhook-secrets.js";
export type { WebhookEvent, WebhookEventOf, WebhookEventType } from "./webhook-event.js";
