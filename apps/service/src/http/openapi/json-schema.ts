import * as z from "zod";

export type Json = Record<string, unknown>;
export type OpenApiVersion = "3.0" | "3.1";

const MAX_INT32 = 2 ** 31 - 1;

/** The schema in the dialect of a version of OpenAPI, as a member of its document. */
export function schemaOf(schema: z.ZodType, io: "input" | "output", version: OpenApiVersion): Json {
  return withoutDialect(z.toJSONSchema(schema, { io, ...dialect(version) }));
}

/** The same for schemas with names, which refer to each other. */
export function schemasOf(
  named: Record<string, z.ZodType>,
  io: "input" | "output",
  version: OpenApiVersion,
): Record<string, Json> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    io,
    ...dialect(version),
  });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutDialect(schema)]));
}

function dialect(version: OpenApiVersion) {
  return {
    target: version === "3.0" ? ("openapi-3.0" as const) : ("draft-2020-12" as const),
    override: ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => {
      removeRepeatedDescription(jsonSchema);
      describeInteger(jsonSchema);
      allowFurtherMembers(jsonSchema);
      if (version === "3.0") writeNullableMembers(jsonSchema);
    },
  };
}

/** zod repeats the description of a nullable member in its `anyOf` branch. This removes the copy. */
function removeRepeatedDescription(schema: z.core.JSONSchema.BaseSchema): void {
  for (const branch of schema.anyOf ?? []) {
    if (typeof branch === "object" && branch.description === schema.description) delete branch.description;
  }
}

/**
 * Says which integers need 64 bits: without a format, generators for Go, Java and others choose 32, and a file of 3 GB has no size.
 * zod's bounds of safe integers are no rule of the API.
 */
function describeInteger(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.type !== "integer") return;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === undefined || schema.maximum > MAX_INT32) schema.format = "int64";
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/** A later version of the service can add members to its answers. Some generated clients refuse members that are forbidden. */
function allowFurtherMembers(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
}

/** OpenAPI 3.0 has no list of types. zod writes its own schemas for each version, but not those that we write ourselves. */
function writeNullableMembers(schema: z.core.JSONSchema.BaseSchema): void {
  const { additionalProperties: members } = schema;
  if (typeof members !== "object" || !Array.isArray(members.type)) return;
  const [type] = members.type as "string"[];
  Object.assign(schema, { additionalProperties: { ...members, type, nullable: true } });
}

/** Removes `$schema` and `$id`: OpenAPI 3.1 implies the dialect, and `$id` would change how references are resolved. */
function withoutDialect({ $schema: _, $id: _id, ...schema }: Json): Json {
  return schema;
}
