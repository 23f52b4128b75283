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
  tenant,
  uploadResponse,
  usageResponse,
} from "@stowage/schemas";
import * as z from "zod";

type Json = Record<string, unknown>;

/** Answers that have a name of their own in the document. */
const named = {
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
 * The whole REST face in OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.1.html), made from the table of operations and the
 * schemas that judge what comes over the wire: it cannot say anything else than the service does.
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
        "Multi-tenant file storage. Each path works with and without its trailing slash. Every error body is {detail}, and every answer carries an X-Request-Id.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "The API key of a project." },
      },
      headers: {
        "X-Request-Id": {
          description: "Names this answer in the service's log.",
          schema: { type: "string", format: "uuid" },
        },
        "Retry-After": { description: "Seconds to wait before asking again.", schema: { type: "integer" } },
        "WWW-Authenticate": { schema: { type: "string", const: "Bearer" } },
      },
      schemas: {
        ...namedSchemas(),
        Error: {
          type: "object",
          properties: { detail: { type: "string", description: "One sentence for people." } },
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
    ...(operation.query ? { parameters: queryParameters(operation.query) } : {}),
    ...(operation.body
      ? { requestBody: { required: true, content: json(schemaOf(operation.body, "input")) } }
      : {}),
    responses: {
      "200": {
        description: "Done.",
        headers: headers("X-Request-Id"),
        content: json(answerSchema(operation.answer)),
      },
      ...errorResponses(operation),
    },
  };
}

function queryParameters(query: z.ZodType): Json[] {
  const { properties = {}, required = [] } = schemaOf(query, "input") as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
  }));
}

/** One response for each status, with an example for each of its sentences. */
function errorResponses(operation: Operation): Json {
  const statusOf = (code: ErrorCode): number => errorCatalogue[code].status;
  const codes = errorsOf(operation);
  return Object.fromEntries(
    codes.map((code) => {
      const status = statusOf(code);
      const sentences = new Map(
        codes
          .filter((other) => statusOf(other) === status)
          .map((other) => [other, sentenceOf(other, operation)]),
      );
      const response = {
        description: [...sentences.values()].join("; "),
        headers: headers(
          "X-Request-Id",
          ...(status === 401 ? ["WWW-Authenticate"] : []),
          ...(status === 429 || status === 503 ? ["Retry-After"] : []),
        ),
        content: json({ $ref: "#/components/schemas/Error" }, sentences),
      };
      return [String(status), response];
    }),
  );
}

function sentenceOf(code: ErrorCode, { bodyBytes }: Operation): string {
  return code === "body_too_large" && bodyBytes
    ? `Request body must be at most ${bodyBytes} bytes`
    : errorCatalogue[code].detail;
}

function json(schema: Json, sentences: Map<ErrorCode, string> = new Map()): Json {
  const examples = Object.fromEntries([...sentences].map(([code, detail]) => [code, { value: { detail } }]));
  return { "application/json": { schema, ...(sentences.size > 0 ? { examples } : {}) } };
}

function headers(...names: string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function answerSchema(answer: z.ZodType): Json {
  const name = Object.entries<z.ZodType>(named).find(([, schema]) => schema === answer)?.[0];
  return name === undefined ? schemaOf(answer, "output") : { $ref: `#/components/schemas/${name}` };
}

function namedSchemas(): Json {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries<z.ZodType>(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => `#/components/schemas/${id}`, io: "output" });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutDialect(schema)]));
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  return withoutDialect(
    z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => describeOnce(jsonSchema) }),
  );
}

/** A member that may be null is described as a whole: its one real branch need not say it again. */
function describeOnce(schema: z.core.JSONSchema.BaseSchema): void {
  for (const branch of schema.anyOf ?? []) {
    if (typeof branch === "object" && branch.description === schema.description) delete branch.description;
  }
}

/** OpenAPI 3.1 has the dialect of JSON Schema 2020-12 already, and its references are resolved from the document's root. */
function withoutDialect({ $schema: _, $id: _id, ...schema }: Json): Json {
  return schema;
}
