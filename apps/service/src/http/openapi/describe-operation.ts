import { type ErrorCode, errorCatalogue, errorsOf, type Operation } from "@stowage/schemas";
import type * as z from "zod";
import { type Json, type OpenApiVersion, schemaOf } from "./json-schema.js";
import { referenceTo } from "./named-schemas.js";

/** Describes one call: https://spec.openapis.org/oas/v3.1.1.html#operation-object */
export function describeOperation(operationId: string, operation: Operation, version: OpenApiVersion): Json {
  const { tag, names, summary, description, isPublic, isStream, table } = operation;
  const answer = referenceTo(names.answer);
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    ...(isPublic ? { security: [] } : {}),
    ...describeParameters(operation, version),
    ...(names.body ? { requestBody: { required: true, content: json(referenceTo(names.body)) } } : {}),
    responses: {
      "200": {
        description: "Success.",
        headers: headers("X-Request-Id"),
        content: {
          ...(isStream ? { "application/x-ndjson": { schema: answer } } : json(answer)),
          ...(table && { "text/csv": TEXT, "application/x-ndjson": TEXT }),
        },
      },
      ...errorResponses(operation),
    },
  };
}

/** A table in another format. */
const TEXT = { schema: { type: "string" } };

function describeParameters({ query, headers }: Operation, version: OpenApiVersion): Json {
  const parameters = [
    ...(query ? parametersIn("query", query, version) : []),
    ...(headers ? parametersIn("header", headers, version) : []),
  ];
  return parameters.length > 0 ? { parameters } : {};
}

/** Describes each member of a schema as a parameter. */
export function parametersIn(place: "query" | "header", schema: z.ZodType, version: OpenApiVersion): Json[] {
  const { properties = {}, required = [] } = schemaOf(schema, "input", version) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name: place === "header" ? toHeaderCase(name) : name,
    in: place,
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    // `name[member]=value`, as the service reads it.
    ...(schema["type"] === "object" && { style: "deepObject", explode: true }),
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

/** Describes a JSON body, with an example for each of these errors. */
export function json(schema: Json, details: Map<ErrorCode, string> = new Map()): Json {
  const examples = Object.fromEntries([...details].map(([code, detail]) => [code, { value: { detail } }]));
  return { "application/json": { schema, ...(details.size > 0 ? { examples } : {}) } };
}

function headers(...names: string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
