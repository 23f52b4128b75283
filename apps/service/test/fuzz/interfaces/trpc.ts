import fc from "fast-check";
import type * as z from "zod";
import { appRouter } from "#trpc/router.js";
import type { RequestParts } from "../http-request.js";
import { type Known, ofZod } from "../of-schema.js";
import { oddText, oddValue } from "../odd-values.js";

interface Procedure {
  name: string;
  type: "query" | "mutation" | "subscription";
  input: fc.Arbitrary<unknown>;
}

/** Requests to every procedure of the router, alone and in batches. */
export function trpcRequests(cookie: string, origin: string, known: Known): fc.Arbitrary<RequestParts> {
  const procedures = readProcedures(known);
  const headers: [string, string][] = [
    ["Cookie", cookie],
    ["Origin", origin],
  ];
  const toRequest = (
    type: Procedure["type"],
    path: string,
    input: unknown,
    isBatch: boolean,
  ): RequestParts => {
    const batch = isBatch ? { batch: "1" } : {};
    if (type === "mutation")
      return { method: "POST", path: `/trpc/${path}`, query: batch, headers, body: input };
    const accept: [string, string][] = type === "subscription" ? [["Accept", "text/event-stream"]] : [];
    const query = { ...batch, input: JSON.stringify(input) };
    return { method: "GET", path: `/trpc/${path}`, query, headers: [...headers, ...accept] };
  };
  const single = fc
    .constantFrom(...procedures)
    .chain(({ name, type, input }) => input.map((value) => toRequest(type, name, value, false)));
  const batch = fc
    .tuple(
      fc.constantFrom("query" as const, "mutation" as const),
      fc.array(fc.constantFrom(...procedures), { maxLength: 25 }),
    )
    .chain(([type, members]) =>
      fc.tuple(...members.map(({ input }) => input)).map((inputs) => {
        const path = members.map(({ name }) => name).join(",");
        return toRequest(type, path || ",", Object.fromEntries(inputs.entries()), true);
      }),
    );
  const unknown = fc
    .tuple(oddText, oddValue)
    .map(([name, input]) => toRequest("query", encodeURIComponent(name.toWellFormed()) || "x", input, false));
  return fc.oneof(
    { weight: 8, arbitrary: single },
    { weight: 2, arbitrary: batch },
    { weight: 1, arbitrary: unknown },
  );
}

function readProcedures(known: Known): Procedure[] {
  return Object.entries(appRouter._def.procedures as Record<string, unknown>).map(([name, procedure]) => {
    const { type, inputs } = (procedure as { _def: { type: Procedure["type"]; inputs: z.ZodType[] } })._def;
    const parts = fc.tuple(...inputs.map((schema) => ofZod(schema, known)));
    return { name, type, input: inputs.length === 0 ? fc.constant({}) : parts.map(merge) };
  });
}

/** A procedure of a project has an input for the project, and usually another one for the rest. */
function merge(parts: unknown[]): unknown {
  const odd = parts.find((part) => typeof part !== "object" || part === null || Array.isArray(part));
  return odd === undefined ? Object.assign({}, ...parts) : odd;
}
