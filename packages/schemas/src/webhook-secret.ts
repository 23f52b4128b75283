/** The signing secret of a webhook endpoint is this prefix and the base64 of its key. */
export const WEBHOOK_SECRET_PREFIX = "whsec_";

/** What Standard Webhooks allows. The service makes keys of 32 bytes. */
export const webhookKeyBytes = { min: 24, max: 64 } as const;
