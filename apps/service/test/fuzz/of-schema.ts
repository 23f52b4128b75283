import fc from "fast-check";
import * as z from "zod";
import { oddNumber, oddText, oddValue } from "./odd-values.js";

/** Values that exist, by the name of the member, such as the path of a stored file. */
export type Known = Record<string, unknown[]>;

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Generates values for a schema: most are valid, the others break one of its rules. */
export function ofZod(schema: z.ZodType, known: Known): fc.Arbitrary<unknown> {
  return ofSchema(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }), known, "");
}

function ofSchema(schema: JsonSchema, known: Known, name: string): fc.Arbitrary<unknown> {
  const values = Object.hasOwn(known, name) ? known[name]! : [];
  return fc.oneof(
    ...(values.length > 0 ? [{ weight: 12, arbitrary: fc.constantFrom(...values) }] : []),
    { weight: 6, arbitrary: valid(schema, known, name) },
    { weight: 1, arbitrary: oddValue },
  );
}

function valid(schema: JsonSchema, known: Known, name: string): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => ofSchema(choice as JsonSchema, known, name)));
  if (schema.allOf) return toObject(schema.allOf as JsonSchema[], known);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case "object":
      return toObject([schema], known);
    case "array":
      return fc.array(ofSchema((schema.items ?? {}) as JsonSchema, known, name), { maxLength: 4 });
    case "string":
      return fc.oneof(fc.string({ minLength: 1, maxLength: 12 }), oddText);
    case "integer":
    case "number":
      return fc.oneof(fc.integer({ min: 0, max: 100 }), oddNumber);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return oddValue;
  }
}

function toObject(schemas: JsonSchema[], known: Known): fc.Arbitrary<unknown> {
  const properties = Object.assign({}, ...schemas.map((schema) => schema.properties ?? {})) as Record<
    string,
    JsonSchema
  >;
  const required = schemas.flatMap((schema) => schema.required ?? []);
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, ofSchema(property, known, name)]),
  );
  return fc.oneof(
    { weight: 8, arbitrary: fc.record(members, { requiredKeys: required }) },
    { weight: 1, arbitrary: fc.record(members, { requiredKeys: [] }) },
  );
}
