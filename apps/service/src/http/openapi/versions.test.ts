import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import { describeApi } from "./describe-api.js";

interface Message {
  content: Record<string, { schema: object }>;
}
interface Call {
  requestBody?: Message;
  responses: Record<string, Message>;
}

function membersOf(described: Record<string, unknown>, name: string): Record<string, object> {
  const { schemas } = described["components"] as { schemas: Record<string, { properties: object }> };
  return schemas[name]!.properties as Record<string, object>;
}

describe.each(["3.0", "3.1"] as const)("the document for OpenAPI %s", (version) => {
  const described = describeApi(version);

  test("is valid", async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(described))).toEqual({ valid: true });
    expect(validator.version).toBe(version);
  });

  test("passes the recommended rules of a linter", async () => {
    const config = await createConfig({
      extends: ["recommended-strict"],
      rules: {
        // The contract prescribes these paths.
        "no-path-trailing-slash": "off",
        // The public calls take no input that could be wrong.
        "operation-4xx-response": "off",
        "no-unused-components": "error",
        "operation-operationId-unique": "error",
        "operation-tag-defined": "error",
        "tag-description": "error",
      },
    });
    const problems = await lintFromString({ source: JSON.stringify(described), config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  test("names the schema of every body and every answer, as the types of generated clients", () => {
    const schemas = Object.values(described["paths"] as Record<string, Record<string, Call>>)
      .flatMap((calls) => Object.values(calls))
      .flatMap(({ requestBody, responses }) => [requestBody, ...Object.values(responses)])
      .flatMap((message) => Object.values(message?.content ?? {}))
      .map(({ schema }) => schema)
      // Tables as CSV or NDJSON are texts.
      .filter((schema) => (schema as { type?: string }).type !== "string");
    expect(schemas.length).toBeGreaterThan(100);
    for (const schema of schemas) {
      expect(schema).toEqual({ $ref: expect.stringMatching(/^#\/components\/schemas\/\w+$/) });
    }
  });

  test("says which integers need 64 bits and which texts are times", () => {
    expect(membersOf(described, "File")["size"]).toMatchObject(
      version === "3.0"
        ? { type: "integer", format: "int64", nullable: true }
        : { anyOf: [{ type: "integer", format: "int64" }, { type: "null" }] },
    );
    expect(membersOf(described, "SignedPart")["size"]).toMatchObject({ type: "integer", format: "int64" });
    expect(membersOf(described, "DownloadRequest")["expires_in"]).not.toHaveProperty("format");
    const times = JSON.stringify(described["components"]).matchAll(/"\w+_at":(\{.*?\})/g);
    const texts = [...times].map(([, schema]) => schema);
    expect(texts.length).toBeGreaterThan(10);
    for (const text of texts) expect(text).toContain('"format":"date-time"');
  });

  test("allows answers to have members that a later version adds", () => {
    expect(JSON.stringify(described)).not.toContain('"additionalProperties":false');
  });
});
