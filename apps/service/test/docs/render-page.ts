import { type ErrorCode, errorCatalogue, errorsOf, type Operation, operations } from "@stowage/schemas";
import * as z from "zod";
import { curlLine } from "./curl-line.js";
import type { Example } from "./examples.js";

/** An example and the response that the service gave to it. */
export interface RunExample extends Example {
  answer: string;
}

/** Renders docs/api.md from the table of operations, its schemas, the error catalogue and the responses of a real run. */
export function renderPage(runs: RunExample[]): string {
  return `${[HEAD, ...runs.map(renderOperation), ERRORS].join("\n\n")}\n`;
}

const HEAD = `<!-- Generated from packages/schemas/src/calls by \`pnpm --filter @stowage/service docs\`; a test fails when it is stale. -->

# The REST API

\`\`\`sh
STOWAGE=http://localhost:4000
KEY=$(node -p 'require("./.stowage/demo.json").api_key')
curl -s "$STOWAGE/api/storage/usage/" -H "Authorization: Bearer $KEY"
\`\`\`

These settings are for the service that \`npm start\` runs. The examples below use them, and \`FILE_PATH\`: the \`file_path\` in the
response to the first example. \`UPLOAD_PATH\` is that of the upload by parts. A test ran all examples in this order to make this page.

- Every call except the last three needs the API key of your project. Never send the key to a browser.
- Each path works with and without its trailing slash.
- Every error body is \`{"detail": "…"}\`. The header \`X-Error-Code\` has the error's code: compare the code in programs, because
  texts can change. [The error codes](errors/README.md) have a page each. Every response has an \`X-Request-Id\`.
- \`GET /openapi.json\` returns the same description in OpenAPI 3.1, and \`GET /openapi-3.0.json\` in OpenAPI 3.0, for
  [generators of clients](clients.md#generated-clients).
- [Webhooks](webhooks.md) tell your backend what happens to files and tenants, so it need not ask.`;

const PUT = `Then the client sends the file to \`presigned_url\`, with exactly these headers, its Content-Length, and without the API key. [The PUT, in your language](put.md)
says which HTTP clients send the length themselves:

\`\`\`sh
printf 'hello\\n' | curl -s -X PUT "$PRESIGNED_URL" -H 'Content-Type: text/plain' --data-binary @-
\`\`\``;

const PART = `Then the client sends the third part to its \`presigned_url\`, in the same way:

\`\`\`sh
tail -c +16777217 holiday.mp4 | curl -s -X PUT "$PRESIGNED_URL" --data-binary @-
\`\`\``;

const UNSENT = "Here `FILE_PATH` is the path of an upload whose file was not sent.";

function renderOperation(run: RunExample): string {
  const operation: Operation = operations[run.operation];
  const members = renderMembers(operation);
  return [
    `## ${operation.summary}`,
    `\`${operation.method} ${operation.path}\``,
    ...(operation.since === undefined ? [] : [`Since version ${operation.since}.`]),
    ...(run.isForUnsentUpload ? [UNSENT] : []),
    `\`\`\`sh\n${curlLine(run)}\n\`\`\``,
    `\`\`\`json\n${run.answer}\n\`\`\``,
    ...(run.isFollowedByPut ? [PUT] : []),
    ...(run.isFollowedByPart ? [PART] : []),
    operation.description,
    ...(members ? [members] : []),
    ...renderErrors(operation),
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

/** Lists the errors of this call. The errors that every call may return are at the end of the page. */
function renderErrors(operation: Operation): string[] {
  const ownErrors = operation.errors.filter((code) => code !== "unavailable");
  if (ownErrors.length === 0) return [];
  return [renderErrorTable(ownErrors)];
}

function renderErrorTable(codes: readonly ErrorCode[]): string {
  const rows = codes
    .map((code) => [errorCatalogue[code].status, code, errorCatalogue[code].detail] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([status, code, detail]) => `| ${status} | [\`${code}\`](errors/${code}.md) | \`${detail}\` |`);
  return ["| error status | code | detail |", "|---|---|---|", ...rows].join("\n");
}

const errorsOfEveryCall = errorsOf({ ...operations.setQuota, errors: [] });
const ERRORS = `## Errors of every call

${renderErrorTable(errorsOfEveryCall)}

- Instead of \`Request is not valid\`, the detail usually names the member and its limit, such as \`filename must be at most 255 characters\`.
- 429 and 503 have a \`Retry-After\` header, in seconds.
- Deleting accepts bodies of up to ${operations.deleteFiles.bodyBytes} bytes.`;
