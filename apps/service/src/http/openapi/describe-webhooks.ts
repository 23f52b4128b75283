import { webhookEvent, webhookEventSummaries, webhookHeaders } from "@stowage/schemas";
import { json, parametersIn } from "./describe-operation.js";
import { type Json, schemaOf } from "./json-schema.js";

/** Describes the requests that the service sends to an endpoint of the customer. Only OpenAPI 3.1 has a place for them. */
export function describeWebhooks(): Json {
  const described = webhookEvent.options.map((event) => {
    const type = event.shape.type.value;
    const post = {
      operationId: operationIdOf(type),
      summary: webhookEventSummaries[type],
      description:
        "Signed by Standard Webhooks 1.0. It is delivered at least once, so it can arrive again with the same webhook-id. The service waits 10 seconds for the response and follows no redirect.",
      // The signature takes the place of an API key.
      security: [],
      tags: ["Webhooks"],
      parameters: parametersIn("header", webhookHeaders, "3.1"),
      requestBody: { required: true, content: json(schemaOf(event, "output", "3.1")) },
      responses: {
        "2XX": { description: "The event was accepted." },
        "410": { description: "The endpoint wants no more events: the service disables it." },
        default: { description: "The service sends the event again later." },
      },
    };
    return [type, { post }];
  });
  return Object.fromEntries(described);
}

/** @example operationIdOf("tenant.quota_reached") // "onTenantQuotaReached" */
function operationIdOf(type: string): string {
  return `on.${type}`.replace(/[._]([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
