import { type Operation, operations, serviceErrors } from "@stowage/schemas";
import { describeOperation } from "./describe-operation.js";
import { describeWebhooks } from "./describe-webhooks.js";
import type { Json, OpenApiVersion } from "./json-schema.js";
import { describeNamedSchemas } from "./named-schemas.js";
import { tagDescriptions } from "./tags.js";

/**
 * Describes the REST API. The description is made from the table of operations and from the schemas that validate requests, so it
 * always agrees with the service.
 *
 * @param version 3.1 (https://spec.openapis.org/oas/v3.1.1.html), or 3.0 for generators that cannot read 3.1. 3.0 has no webhooks.
 * @default "3.1"
 */
export function describeApi(version: OpenApiVersion = "3.1"): Json {
  const paths: Record<string, Json> = {};
  for (const [operationId, operation] of Object.entries<Operation>(operations)) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describeOperation(operationId, operation, version),
    };
  }
  return {
    openapi: version === "3.1" ? "3.1.0" : "3.0.3",
    info: {
      title: "Stowage",
      version: "1.0.0",
      description:
        "Multi-tenant file storage. Each path works with and without its trailing slash. Every error body is {detail}, every error has its code in X-Error-Code, and every response has an X-Request-Id.",
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    servers: [{ url: "/" }],
    security: [{ apiKey: [] }],
    tags: Object.entries(tagDescriptions)
      .filter(([name]) => version === "3.1" || name !== "Webhooks")
      .map(([name, description]) => ({ name, description })),
    paths,
    ...(version === "3.1" ? { webhooks: describeWebhooks() } : {}),
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "The API key of a project." },
      },
      headers: {
        "X-Request-Id": {
          description: "Identifies this request in the service's log.",
          schema: { type: "string", format: "uuid" },
        },
        "X-Error-Code": {
          description:
            "The code of the error. Programs compare it, because texts can change. A later version can add codes.",
          schema: { type: "string" },
          examples: Object.fromEntries(Object.keys(serviceErrors).map((code) => [code, { value: code }])),
        },
        "Retry-After": {
          description: "Seconds to wait before the next request.",
          schema: { type: "integer" },
        },
        "WWW-Authenticate": { schema: { type: "string", enum: ["Bearer"] } },
      },
      schemas: {
        ...describeNamedSchemas(version),
        Error: {
          type: "object",
          properties: {
            detail: { type: "string", description: "What went wrong, in one sentence for people." },
          },
          required: ["detail"],
        },
      },
    },
  };
}
