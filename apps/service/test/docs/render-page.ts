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
  return `${[HEAD, ...runs.map((run, at) => renderOperation(run, runs.slice(0, at))), ERRORS].join("\n\n")}\n`;
}

const HEAD = `<!-- Generated from packages/schemas/src/calls by \`pnpm --filter @stowage/service docs\` -->

# The REST API

\`\`\`sh
STOWAGE=http://localhost:4000
KEY=$(node -p 'require("./.stowage/demo.json").api_key')
curl -s "$STOWAGE/api/storage/usage/" -H "Authorization: Bearer $KEY"
\`\`\`

These settings are for the service that \`npm start\` runs. \`FILE_PATH\` is the \`file_path\` of the first response, \`UPLOAD_PATH\` of the upload
by parts, \`LINK_ID\` the \`link_id\` of the share link, \`JOB_ID\` the \`job_id\` of the move, \`VERSION_PATH\` the path of a file
that \`FILE_PATH\` replaced.

- Every call except the last three needs the API key of your project. Never send the key to a browser.
- Every error body is \`{"detail": "…"}\`. Compare the code in the header \`X-Error-Code\`, because texts can change. Each
  [code](errors/README.md) has a page. Every response has an \`X-Request-Id\`.
- \`GET /openapi.json\` has this description in OpenAPI 3.1, and \`GET /openapi-3.0.json\` in OpenAPI 3.0, for
  [generated clients](clients.md#generated-clients).
- Required members are **bold**. Lengths of strings are in characters.
- \`file_path\` is the file's permanent identifier. A call with a \`tenant_id\` beside it answers 404 if another tenant owns the file.`;

/** The meanings that the first lines of the page give once for all calls. */
const MEANT_ABOVE = ["The file's permanent identifier.", "Must own the file, else 404."];

const PUT = `Then send the file to \`presigned_url\`, with exactly these headers and its Content-Length ([the PUT, in your language](put.md)):

\`\`\`sh
printf 'hello\\n' | curl -s -X PUT "$PRESIGNED_URL" -H 'Content-Type: text/plain' --data-binary @-
\`\`\``;

const PART = `Then send the third part to its \`presigned_url\`:

\`\`\`sh
tail -c +16777217 holiday.mp4 | curl -s -X PUT "$PRESIGNED_URL" --data-binary @-
\`\`\``;

const UNSENT = "Here `FILE_PATH` is the path of an upload whose file was not sent.";

function renderOperation(run: RunExample, earlier: readonly RunExample[]): string {
  const operation: Operation = operations[run.operation];
  const members = renderMembers(
    operation,
    earlier.map((each) => operations[each.operation]),
  );
  return [
    `## ${operation.summary}`,
    `\`${operation.method} ${operation.path}\``,
    ...(operation.since === undefined ? [] : [`Since version ${operation.since}.`]),
    ...(run.isForUnsentUpload ? [UNSENT] : []),
    `\`\`\`sh\n${curlLine(run)}\n\`\`\``,
    renderAnswer(run, earlier),
    ...(run.isFollowedByPut ? [PUT] : []),
    ...(run.isFollowedByPart ? [PART] : []),
    operation.description,
    ...(members ? [members] : []),
    ...renderErrors(operation),
  ].join("\n\n");
}

/** A kind of answer that an earlier call has shows only the members that differ. */
function renderAnswer({ operation, answer }: RunExample, earlier: readonly RunExample[]): string {
  const first = earlier.find((each) => answers(each.operation) === answers(operation));
  if (answers(operation) === undefined || first === undefined) return renderJson(answer);
  const known = JSON.parse(first.answer) as Record<string, unknown>;
  const changed = Object.entries(JSON.parse(answer) as Record<string, unknown>).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(known[name]),
  );
  const same = `The answer is the same as in ${linkTo(operations[first.operation])}`;
  if (changed.length === 0) return `${same}.`;
  return `${same}, except for:\n\n${renderJson(JSON.stringify(Object.fromEntries(changed), undefined, 2))}`;
}

const answers = (id: RunExample["operation"]): string | undefined =>
  (operations[id] as Operation).names?.answer;

const renderJson = (text: string): string => `\`\`\`json\n${text}\n\`\`\``;

const linkTo = ({ summary }: Operation): string =>
  `[${summary}](#${summary
    .toLowerCase()
    .replaceAll(/[^\w -]/g, "")
    .replaceAll(" ", "-")})`;

/** A call that has so many members of an earlier one, with the same rules, names them and leads to that one. */
const FEWEST_SHARED = 3;

function renderMembers(operation: Operation, earlier: readonly Operation[]): string | undefined {
  const members = membersOf(operation);
  if (members.length === 0) return undefined;
  const sharedWith = (other: Operation) => {
    const rows = new Set(membersOf(other).map(({ row }) => row));
    return { other, shared: members.filter(({ row }) => rows.has(row)) };
  };
  const [closest] = earlier.map(sharedWith).toSorted((a, b) => b.shared.length - a.shared.length);
  const isShared = closest !== undefined && closest.shared.length >= FEWEST_SHARED;
  const own = isShared ? members.filter((member) => !closest.shared.includes(member)) : members;
  return [
    `| ${operation.query ? "query" : "member"} | type | meaning |`,
    "|---|---|---|",
    ...own.map(({ row }) => row),
    ...(isShared
      ? [`| ${closest.shared.map(({ cell }) => cell).join(", ")} | | as in ${linkTo(closest.other)} |`]
      : []),
  ].join("\n");
}

function membersOf({ query, body }: Operation): { cell: string; row: string }[] {
  const schema = query ?? body;
  if (!schema) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "input" });
  return Object.entries(properties).map(([name, member]) => {
    const rule = member as z.core.JSONSchema.BaseSchema;
    const cell = required.includes(name) ? `**\`${name}\`**` : `\`${name}\``;
    const meaning = rule.description ?? "";
    return { cell, row: `| ${cell} | ${ruleOf(rule)} | ${MEANT_ABOVE.includes(meaning) ? "" : meaning} |` };
  });
}

function ruleOf(rule: z.core.JSONSchema.BaseSchema): string {
  const branches = rule.anyOf as z.core.JSONSchema.BaseSchema[] | undefined;
  if (branches) return branches.map(ruleOf).join(" or ");
  if (rule.enum) return rule.enum.map((value) => `\`${String(value)}\``).join(", ");
  const type = String(rule.type ?? "");
  if (type === "string" && rule.maxLength) return `string, ≤ ${rule.maxLength}`;
  if (type === "integer") return `integer, ${rule.minimum ?? "…"}–${rule.maximum ?? "…"}`;
  if (type === "array") return `list, ${rule.minItems ?? 0}–${rule.maxItems ?? "…"}`;
  return type;
}

/** Lists the errors of this call. The errors that many calls may return are at the end of the page. */
function renderErrors(operation: Operation): string[] {
  const ownErrors = operation.errors.filter((code) => !["unavailable", "tenant_id_required"].includes(code));
  if (ownErrors.length === 0) return [];
  return [`Errors: ${renderErrorList(ownErrors)}`];
}

/** Names each code with its status and leads to its page, which has the cause. */
function renderErrorList(codes: readonly ErrorCode[]): string {
  return codes
    .map((code) => [errorCatalogue[code].status, code] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([status, code]) => `[${status} \`${code}\`](errors/${code}.md)`)
    .join(" · ");
}

const errorsOfEveryCall = errorsOf({ ...operations.setQuota, errors: [] });
const ERRORS = `## Errors of every call

${renderErrorList(errorsOfEveryCall)}

- A call with an empty \`tenant_id\`, or without a required one, answers ${renderErrorList(["tenant_id_required"])}.
- The detail of \`invalid_request\` usually names the member and its limit, such as \`filename must be at most 255 characters\`.
- 429 and 503 have a \`Retry-After\` header, in seconds.
- Deleting accepts bodies of up to ${operations.deleteFiles.bodyBytes} bytes.`;
