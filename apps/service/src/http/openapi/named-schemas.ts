import {
  openUpload,
  type Operation,
  operations,
  restoredFiles,
  signedPart,
  storedPart,
} from "@stowage/schemas";
import type * as z from "zod";
import { type Json, type OpenApiVersion, schemasOf } from "./json-schema.js";

const calls = Object.values<Operation>(operations);

/** Bodies by their names. */
const requests = byName(calls.map(({ names, body }) => [names.body, body]));

/** Answers by their names, and the parts of answers that have one. */
const answers = byName([
  ...Object.entries({
    SignedPart: signedPart,
    StoredPart: storedPart,
    OpenUpload: openUpload,
    RestoredFiles: restoredFiles,
  }),
  ...calls.map(({ names, answer }) => [names.answer, answer] as const),
]);

/** @throws {Error} if two schemas have the same name, or a schema of a call has none */
function byName(
  schemas: (readonly [string | undefined, z.ZodType | undefined])[],
): Record<string, z.ZodType> {
  const named: Record<string, z.ZodType> = {};
  for (const [name, schema] of schemas) {
    if (name === undefined && schema === undefined) continue;
    if (name === undefined || schema === undefined) throw new Error("a body has no name, or a name no body");
    if (named[name] !== undefined && named[name] !== schema) throw new Error(`two schemas are named ${name}`);
    named[name] = schema;
  }
  return named;
}

export function describeNamedSchemas(version: OpenApiVersion): Record<string, Json> {
  return { ...schemasOf(requests, "input", version), ...schemasOf(answers, "output", version) };
}

export const referenceTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
