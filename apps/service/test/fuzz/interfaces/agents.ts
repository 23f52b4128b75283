import fc from "fast-check";
import { readingTools, writingTools } from "#mcp/tools.js";
import type { RequestParts } from "../http-request.js";
import { oddText, oddValue } from "../odd-values.js";
import { type Known, ofZod } from "../of-schema.js";

/** Messages of an agent to `stowage mcp --http`: calls of every tool, and other messages of the protocol. */
export function agentRequests(token: string, known: Known): fc.Arbitrary<RequestParts> {
  const tools = [...readingTools, ...writingTools].map(({ name, input }) =>
    ofZod(input, known).map((args) => ({ method: "tools/call", params: { name, arguments: args } })),
  );
  const health = fc.constant({ method: "tools/call", params: { name: "health", arguments: {} } });
  const others = fc.record({
    method: fc.oneof(
      fc.constantFrom("initialize", "ping", "tools/list", "tools/call", "notifications/cancelled"),
      oddText,
    ),
    params: oddValue,
  });
  const message = fc
    .tuple(
      fc.oneof(
        { weight: 6, arbitrary: fc.oneof(...tools) },
        { weight: 1, arbitrary: health },
        { weight: 2, arbitrary: others },
      ),
      fc.oneof(fc.constant(1), oddValue),
    )
    .map(([call, id]): unknown => ({ jsonrpc: "2.0", id, ...call }));
  const body = fc.oneof({ weight: 9, arbitrary: message }, { weight: 1, arbitrary: oddValue });
  const authorization = fc.oneof(
    { weight: 15, arbitrary: fc.constant(`Bearer ${token}`) },
    { weight: 1, arbitrary: fc.constantFrom("Bearer", "Bearer x", "Basic eA==") },
  );
  return fc.tuple(body, authorization).map(([sent, value]): RequestParts => ({
    method: "POST",
    path: "/mcp",
    query: {},
    headers: [
      ["Accept", "application/json, text/event-stream"],
      ["Authorization", value],
    ],
    body: sent,
  }));
}
