import {
  deleteResponse,
  downloadResponse,
  type ErrorCode,
  errorCatalogue,
  errorsOf,
  file,
  listFilesResponse,
  listTenantsResponse,
  type Operation,
  operations,
  serviceErrors,
  tenant,
  uploadResponse,
  usageResponse,
  webhookEvent,
  webhookEventSummaries,
  webhookHeaders,
} from "@stowage/schemas";
import * as z from "zod";

type Json = Record<string, unknown>;

/** Response schemas that the document defines once and refers to by name. */
const namedSchemas = {
  DeletedFiles: deleteResponse,
  Download: downloadResponse,
  File: file,
  FileList: listFilesResponse,
  Tenant: tenant,
  TenantList: listTenantsResponse,
  Upload: uploadResponse,
  Usage: usageResponse,
};

/**
 * Describes the REST API in OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.1.html). It is made from the table of operations and
 * from the schemas that validate requests, so it always agrees with the service.
 */
export function describeApi(): Json {
  const paths: Record<string, Json> = {};
  for (const [operationId, operation] of Object.entries<Operation>(operations)) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describeOperation(operationId, operation),
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Stowage",
      version: "1.0.0",
      description:
        "Multi-tenant file storage. Each path works with and without its trailing slash. Every error body is {detail}, every error has its code in X-Error-Code, and every response has an X-Request-Id.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    security: [{ apiKey: [] }],
    paths,
    webhooks: describeWebhooks(),
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
          schema: { type: "string", examples: Object.keys(serviceErrors) },
        },
        "Retry-After": {
          description: "Seconds to wait before the next request.",
          schema: { type: "integer" },
        },
        "WWW-Authenticate": { schema: { type: "string", const: "Bearer" } },
      },
      schemas: {
        ...describeNamedSchemas(),
        Error: {
          type: "object",
          properties: {
            detail: { type: "string", description: "What went wrong, in one sentence for people." },
          },
          required: ["detail"],
          additionalProperties: false,
        },
      },
    },
  };
}

function describeOperation(operationId: string, operation: Operation): Json {
  return {
    operationId,
    summary: operation.summary,
    description: operation.description,
    ...(operation.isPublic ? { security: [] } : {}),
    ...describeParameters(operation),
    ...(operation.body
      ? { requestBody: { required: true, content: json(schemaOf(operation.body, "input")) } }
      : {}),
    responses: {
      "200": {
        description: "Success.",
        headers: headers("X-Request-Id"),
        content: operation.isStream
          ? { "application/x-ndjson": { schema: answerSchema(operation.answer) } }
          : json(answerSchema(operation.answer)),
      },
      ...errorResponses(operation),
    },
  };
}

/** Describes the requests that the service sends to an endpoint of the customer. */
function describeWebhooks(): Json {
  const described = webhookEvent.options.map((event) => {
    const type = event.shape.type.value;
    const post = {
      summary: webhookEventSummaries[type],
      description:
        "Signed by Standard Webhooks 1.0. It is delivered at least once, so it can arrive again with the same webhook-id. The service waits 10 seconds for the response and follows no redirect.",
      // The signature takes the place of an API key.
      security: [],
      parameters: parametersIn("header", webhookHeaders),
      requestBody: { required: true, content: json(schemaOf(event, "output")) },
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

function describeParameters({ query, headers }: Operation): Json {
  const parameters = [
    ...(query ? parametersIn("query", query) : []),
    ...(headers ? parametersIn("header", headers) : []),
  ];
  return parameters.length > 0 ? { parameters } : {};
}

function parametersIn(place: "query" | "header", schema: z.ZodType): Json[] {
  const { properties = {}, required = [] } = schemaOf(schema, "input") as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name: place === "header" ? toHeaderCase(name) : name,
    in: place,
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
  }));
}

/** @example toHeaderCase("idempotency-key") // "Idempotency-Key" */
function toHeaderCase(name: string): string {
  return name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

/** Describes one response per status, with an example for each error that has this status. */
function errorResponses(operation: Operation): Json {
  const statusOf = (code: ErrorCode): number => errorCatalogue[code].status;
  const codes = errorsOf(operation);
  return Object.fromEntries(
    codes.map((code) => {
      const status = statusOf(code);
      const details = new Map(
        codes
          .filter((other) => statusOf(other) === status)
          .map((other) => [other, detailOf(other, operation)]),
      );
      const response = {
        description: [...details.values()].join("; "),
        headers: headers(
          "X-Request-Id",
          "X-Error-Code",
          ...(status === 401 ? ["WWW-Authenticate"] : []),
          ...(status === 429 || status === 503 ? ["Retry-After"] : []),
        ),
        content: json({ $ref: "#/components/schemas/Error" }, details),
      };
      return [String(status), response];
    }),
  );
}

function detailOf(code: ErrorCode, { bodyBytes }: Operation): string {
  return code === "body_too_large" && bodyBytes
    ? `Request body must be at most ${bodyBytes} bytes`
    : errorCatalogue[code].detail;
}

function json(schema: Json, details: Map<ErrorCode, string> = new Map()): Json {
  const examples = Object.fromEntries([...details].map(([code, detail]) => [code, { value: { detail } }]));
  return { "application/json": { schema, ...(details.size > 0 ? { examples } : {}) } };
}

function headers(...names: string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function answerSchema(answer: z.ZodType): Json {
  const name = Object.entries<z.ZodType>(namedSchemas).find(([, schema]) => schema === answer)?.[0];
  return name === undefined ? schemaOf(answer, "output") : { $ref: `#/components/schemas/${name}` };
}

function describeNamedSchemas(): Json {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries<z.ZodType>(namedSchemas)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => `#/components/schemas/${id}`, io: "output" });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutDialect(schema)]));
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  return withoutDialect(
    z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => removeRepeatedDescription(jsonSchema) }),
  );
}

/** zod repeats the description of a nullable member in its `anyOf` branch. This removes the copy. */
function removeRepeatedDescription(schema: z.core.JSONSchema.BaseSchema): void {
  for (const branch of schema.anyOf ?? []) {
    if (typeof branch === "object" && branch.description === schema.description) delete branch.description;
  }
}

/** Removes `$schema` and `$id`: OpenAPI 3.1 implies the dialect, and `$id` would change how references are resolved. */
function withoutDialect({ $schema: _, $id: _id, ...schema }: Json): Json {
  return schema;
}
