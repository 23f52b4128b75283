import { webhookHandler } from "@stowage/server/webhooks";

/**
 * Receives the webhooks of Stowage. A real app changes its database here: a webhook also arrives if the user closed the page before it
 * reported the upload. Names of files are personal data, so they are not in the log.
 */
export function createWebhooks(secret: string) {
  return webhookHandler({
    secret,
    on: {
      "file.stored": ({ id, data }) => console.log(`webhook ${id}: a file of ${data.size} bytes was stored`),
      "file.deleted": ({ id, data }) =>
        console.log(`webhook ${id}: a file of ${data.size} bytes was deleted`),
      "tenant.quota_reached": ({ id, data }) =>
        console.log(`webhook ${id}: ${data.usedBytes} of ${data.quotaBytes} bytes are used`),
      "webhook.test": ({ id }) => console.log(`webhook ${id}: a test`),
    },
  });
}
