import { type ErrorCode, errorCatalogue, errorsOf, type Operation, operations } from "@stowage/schemas";
import * as z from "zod";
import { curlLine } from "./curl-line.js";
import type { Example } from "./examples.js";

/** An example with what the service answered to it. */
export interface RunExample extends Example {
  answer: string;
}

/** docs/api.md, from the table of operations, its schemas, the error catalogue and the answers of a real run. */
export function renderPage(runs: RunExample[]): string {
  return `${[HEAD, ...runs.map(renderOperation), ERRORS].join("\n\n")}\n`;
}

const HEAD = `<!-- Generated from packages/schemas/src/operations.ts by \`pnpm --filter @stowage/service docs\`; a test fails when it is stale. -->

# The REST API

Every call but the last two carries the API key of your project: \`Authorization: Bearer …\`. Use it on servers alone. Each
path works with and without its trailing slash. Every error body is \`{"detail": "…"}\`, and every answer carries an
\`X-Request-Id\`. The same in OpenAPI 3.1, for generators: \`GET /openapi.json\`.

The lines below were run, one after the other, by the test that made this page. While \`npm start\` runs they work with

\`\`\`sh
STOWAGE=http://localhost:4000
KEY=$(node -p 'require("./.stowage/demo.json").api_key')
\`\`\`

and \`FILE_PATH\` set to the \`file_path\` that the first of them answers.`;

const PUT = `Then the client sends the bytes to \`presigned_url\`, with exactly these headers and without the key:

\`\`\`sh
printf 'hello\\n' | curl -s -X PUT "$PRESIGNED_URL" -H 'Content-Type: text/plain' --data-binary @-
\`\`\``;

function renderOperation(run: RunExample): string {
  const operation: Operation = operations[run.operation];
  const members = renderMembers(operation);
  return [
    `## ${operation.summary}`,
    `\`${operation.method} ${operation.path}\``,
    operation.description,
    ...(members ? [members] : []),
    `\`\`\`sh\n${curlLine(run)}\n\`\`\``,
    `\`\`\`json\n${run.answer}\n\`\`\``,
    ...(run.isFollowedByPut ? [PUT] : []),
    ...renderRefusals(operation),
  ].join("\n\n");
}

function renderMembers({ query, body }: Operation): string | undefined {
  const schema = query ?? body;
  if (!schema) return undefined;
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "input" });
  const rows = Object.entries(properties).map(([name, member]) => {
    const rule = member as z.core.JSONSchema.BaseSchema;
    const cells = [
      `\`${name}\``,
      ruleOf(rule),
      required.includes(name) ? "yes" : "no",
      rule.description ?? "",
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return [`| ${query ? "query" : "member"} | type | required | meaning |`, "|---|---|---|---|", ...rows].join(
    "\n",
  );
}

function ruleOf(rule: z.core.JSONSchema.BaseSchema): string {
  const branches = rule.anyOf as z.core.JSONSchema.BaseSchema[] | undefined;
  if (branches) return branches.map(ruleOf).join(" or ");
  if (rule.enum) return rule.enum.map((value) => `\`${String(value)}\``).join(", ");
  const type = String(rule.type ?? "");
  if (type === "string" && rule.maxLength) return `string of at most ${rule.maxLength} characters`;
  if (type === "integer") return `integer ${rule.minimum ?? "…"} to ${rule.maximum ?? "…"}`;
  if (type === "array") return `list of ${rule.minItems ?? 0} to ${rule.maxItems ?? "…"}`;
  return type;
}

/** What only this call answers; what all of them may is at the end of the page. */
function renderRefusals(operation: Operation): string[] {
  const own = operation.errors.filter((code) => code !== "unavailable");
  if (own.length === 0) return [];
  return [
    `Refusals: ${own.map((code) => `${errorCatalogue[code].status} \`${errorCatalogue[code].detail}\``).join(", ")}.`,
  ];
}

const forAll: ErrorCode[] = errorsOf({ ...operations.setQuota, errors: [] });
const ERRORS = `## What any call may answer

| status | detail |
|---|---|
${forAll
  .map((code) => [errorCatalogue[code].status, errorCatalogue[code].detail] as const)
  .toSorted(([a], [b]) => a - b)
  .map(([status, detail]) => `| ${status} | \`${detail}\` |`)
  .join("\n")}

\`Request is not valid\` stands for a sentence that names the member and its limit, such as \`filename must be at most 255
characters\`. 429 and 503 carry \`Retry-After\`, in seconds. Deleting takes bodies of up to ${operations.deleteFiles.bodyBytes} bytes.`;
