import { type Operation, operations } from "@stowage/schemas";
import fc from "fast-check";
import type * as z from "zod";
import type { RequestParts } from "../http-request.js";
import { oddHeaderValue } from "../odd-values.js";
import { type Known, ofZod } from "../of-schema.js";

/** Requests to every call of the REST API, from the table that the documentation is made of. */
export function restRequests(apiKey: string, known: Known): fc.Arbitrary<RequestParts> {
  const none = fc.constant({});
  const calls = Object.values<Operation>(operations).map(({ method, path, query, body, headers, isPublic }) =>
    fc
      .record({
        query: query ? ofZod(query, known) : none,
        body: body ? ofZod(body, known) : fc.constant(undefined),
        headers: headers ? ofZod(headers as z.ZodType, known) : none,
        key: fc.oneof(
          { weight: 20, arbitrary: fc.constant(`Bearer ${apiKey}`) },
          { weight: 1, arbitrary: oddHeaderValue },
        ),
      })
      .map((parts): RequestParts => {
        const sent = Object.entries(Object(parts.headers) as object).flatMap(
          ([name, value]): [string, string][] =>
            typeof value === "string" ? [[name, value.replaceAll(/[^!-~]/g, "")]] : [],
        );
        return {
          method,
          path,
          query: Object(parts.query) as Record<string, unknown>,
          headers: isPublic ? sent : [...sent, ["Authorization", parts.key]],
          ...(body ? { body: parts.body } : {}),
        };
      }),
  );
  return fc.oneof(...calls);
}
