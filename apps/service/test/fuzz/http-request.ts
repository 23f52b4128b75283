import fc from "fast-check";
import type { FuzzCase } from "./fuzz-case.js";
import { type HttpRequest, toCase } from "./fuzz-case.js";
import { oddHeader, oddPathPart, oddQuery } from "./odd-values.js";

/** A request before it is written as bytes. */
export interface RequestParts {
  method: string;
  path: string;
  query: Record<string, unknown>;
  headers: [name: string, value: string][];
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as they are, instead of a body. */
  bytes?: Buffer;
}

const otherMethods = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "TRACE",
  "QUERY",
  "PROPFIND",
  "CONNECT",
];

/** Writes requests as bytes. About half of them are changed in one to three places. */
export function withMutations(requests: fc.Arbitrary<RequestParts>): fc.Arbitrary<FuzzCase> {
  const changes = fc.oneof(fc.constant([]), fc.array(mutation, { minLength: 1, maxLength: 3 }));
  return fc.tuple(requests, changes, fc.boolean()).map(([request, mutations, isChunked]) => {
    let changed = toRequest(request, isChunked);
    for (const mutate of mutations) changed = mutate(changed);
    return toCase(changed);
  });
}

function toRequest(
  { method, path, query, headers, body, bytes }: RequestParts,
  isChunked: boolean,
): HttpRequest {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [`${encode(name)}=${encode(typeof value === "string" ? value : JSON.stringify(value))}`],
  );
  return {
    method,
    target: pairs.length > 0 ? `${path}?${pairs.join("&")}` : path,
    headers: body === undefined ? headers : [...headers, ["Content-Type", "application/json"]],
    body: bytes ?? (body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body))),
    isChunked,
  };
}

const encode = (text: string) => encodeURIComponent(text.toWellFormed());

type Mutation = (request: HttpRequest) => HttpRequest;

/** Where a change goes, as a fraction of a length. */
const fraction = fc.double({ min: 0, max: 1, noNaN: true });

const headerMutation: fc.Arbitrary<Mutation> = fc
  .tuple(oddHeader, fc.boolean())
  .map(([header, replaces]) => (request) => {
    const isOther = ([name]: [string, string]) => name.toLowerCase() !== header[0].toLowerCase();
    return {
      ...request,
      headers: [...(replaces ? request.headers.filter(isOther) : request.headers), header],
    };
  });

const pathMutation: fc.Arbitrary<Mutation> = fc
  .tuple(oddPathPart, fraction)
  .map(([part, at]) => (request) => {
    const [path = ""] = request.target.split("?", 1);
    const index = Math.floor(at * path.length);
    return { ...request, target: path.slice(0, index) + part + request.target.slice(index) };
  });

const queryMutation: fc.Arbitrary<Mutation> = oddQuery.map((query) => (request) => ({
  ...request,
  target: `${request.target}${request.target.includes("?") ? "&" : "?"}${query}`,
}));

const targetMutation: fc.Arbitrary<Mutation> = fc
  .constantFrom<(target: string) => string>(
    (target) => `http://example.com${target}`,
    (target) => `http://^${target}`,
    (target) => `/${target}`,
    (target) => target.slice(1),
    (target) => target.toUpperCase(),
    (target) => target.replace(/\/$/, ""),
    () => "*",
    () => "/",
  )
  .map((change) => (request) => ({ ...request, target: change(request.target) }));

const methodMutation: fc.Arbitrary<Mutation> = fc
  .constantFrom(...otherMethods)
  .map((method) => (request) => ({ ...request, method }));

const deep = (depth: number) => (body: string) => `{"a":${"[".repeat(depth)}${body}${"]".repeat(depth)}}`;

const textMutations: ((body: string) => string)[] = [
  (body) => body.replace("{", '{"__proto__":{"x":1},'),
  (body) => body.replace("{", '{"constructor":{"prototype":{"x":1}},'),
  (body) => body.replace("{", '{"tenant_id":"twice","file_path":"twice","projectRef":"twice",'),
  (body) => body.replaceAll(/:"[^"]*"/g, ":1e999"),
  (body) => body.replaceAll(/:\d+/g, ":123456789012345678901234567890"),
  (body) => body.replaceAll(/:\d+/g, ":-0.0"),
  (body) => `\ufeff${body}`,
  (body) => `[${body}]`,
  (body) => `${body}x`,
  (body) => `${body}\u0000`,
  (body) => JSON.stringify(body),
  (body) => " ".repeat(70_000) + body,
  () => "",
  () => "null",
  () => '"',
  () => '{"a":"\\ud800"}',
  () => `{${Array.from({ length: 5000 }, (_, index) => `"${index}":1`).join(",")}}`,
  ...[10, 63, 65, 8000, 30_000].map(deep),
];

const textMutation: fc.Arbitrary<Mutation> = fc
  .constantFrom(...textMutations)
  .map((change) => (request) => ({ ...request, body: Buffer.from(change(request.body.toString("utf8"))) }));

const byteMutation: fc.Arbitrary<Mutation> = fc
  .tuple(fraction, fc.uint8Array({ maxLength: 6 }), fc.integer({ min: 0, max: 8 }))
  .map(([at, bytes, removed]) => (request) => {
    const index = Math.floor(at * request.body.length);
    const rest = request.body.subarray(Math.min(request.body.length, index + removed));
    return { ...request, body: Buffer.concat([request.body.subarray(0, index), bytes, rest]) };
  });

const utf16Mutation: fc.Arbitrary<Mutation> = fc.constant((request) => ({
  ...request,
  body: Buffer.from(request.body.toString("utf8"), "utf16le"),
}));

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 5, arbitrary: headerMutation },
  { weight: 3, arbitrary: pathMutation },
  { weight: 3, arbitrary: queryMutation },
  { weight: 1, arbitrary: targetMutation },
  { weight: 2, arbitrary: methodMutation },
  { weight: 5, arbitrary: textMutation },
  { weight: 3, arbitrary: byteMutation },
  { weight: 1, arbitrary: utf16Mutation },
);
