import type { Exchange, FuzzAnswer } from "./exchange.js";
import type { FuzzCase } from "./fuzz-case.js";

/** Returns what is wrong with an answer, or null. */
export type CheckAnswer = (answer: FuzzAnswer, fuzzCase: FuzzCase) => string | null;

/** @throws {Error} that names the first rule that the exchange breaks */
export function checkExchange({ answers, ended }: Exchange, fuzzCase: FuzzCase, check: CheckAnswer): void {
  if (!ended) throw new Error("the server neither answered nor closed the connection");
  // Node closes the connection of a CONNECT that a program does not handle.
  if (fuzzCase.isComplete && answers.length === 0 && fuzzCase.method !== "CONNECT")
    throw new Error("the server closed the connection without an answer");
  if (answers.length > fuzzCase.maxAnswers) throw new Error(`${answers.length} answers to one request`);
  for (const answer of answers) {
    const problem = check(answer, fuzzCase);
    if (problem !== null) throw new Error(`${problem}: ${answer.status} ${answer.body.slice(0, 500)}`);
  }
}

/** The rules for the service: docs/errors, and the bodies of the dashboard and of tRPC. */
export const checkServiceAnswer: CheckAnswer = ({ status, headers, body }, fuzzCase) => {
  const { path, isComplete } = fuzzCase;
  if (status >= 500 || headers["x-error-code"] === "internal_error") return "an error of the service";
  if (headers["x-request-id"] === undefined) return "no X-Request-Id";
  if (path.startsWith("/trpc") && body.includes('"code":"internal_error"')) return "an error in a batch";
  if (status < 400 || hasNoBody(body, fuzzCase)) return null;
  const json = parseJson(body);
  // Raw bytes may hold several requests, whose answers have different bodies.
  if ((path.startsWith("/trpc/") || !isComplete) && isTrpcError(json)) return null;
  const isPage = headers["content-type"]?.startsWith("text/html") === true;
  // A wrong password of a share link is a page, and no error.
  if (path.startsWith("/s/") && status === 403 && isPage) return null;
  if (headers["x-error-code"] === undefined) return "no X-Error-Code";
  // Browsers get a page for an unknown address of the documentation.
  if (path.startsWith("/docs") && !headers["content-type"]?.startsWith("application/json")) return null;
  if (path.startsWith("/s/") && isPage) return null;
  const isForDashboard = path.startsWith("/auth/") || path.startsWith("/dashboard/export/");
  return isDetail(json, isForDashboard || !isComplete) ? null : "not the body of an error";
};

/** The rules for the helper. A body has the code, because browsers of other origins cannot read the header. */
export const checkHelperAnswer: CheckAnswer = ({ status, body, headers }, fuzzCase) => {
  if (status >= 500) return "an error of the helper";
  // Node itself answers bytes that are not HTTP, without a body.
  if (status < 400 || hasNoBody(body, fuzzCase) || headers["content-type"] === undefined) return null;
  return isDetail(parseJson(body), true) ? null : "not the body of an error";
};

/** The rules for `stowage mcp --http`, whose answers are JSON-RPC or events of it. @param apiKey that no answer has */
export const checkAgentAnswer =
  (apiKey: string): CheckAnswer =>
  ({ status, body }) => {
    if (status >= 500) return "an error of the command";
    if (body.includes('"code":-32603')) return "an internal error in a message";
    return body.includes(apiKey) ? "the API key" : null;
  };

/** The rules for dev-store: errors are XML. 501 is its answer to operations that it does not offer. */
export const checkStoreAnswer: CheckAnswer = ({ status, body }, fuzzCase) => {
  if (status >= 500 && status !== 501) return "an error of the store";
  if (status < 400 || status === 412 || hasNoBody(body, fuzzCase)) return null;
  return /^<\?xml[^]*<Error><Code>\w+<\/Code>/.test(body) ? null : "not the body of an error";
};

/** Raw bytes can hold a HEAD behind another request. */
function hasNoBody(body: string, { method, isComplete }: FuzzCase): boolean {
  return method === "HEAD" || (!isComplete && body === "");
}

function isDetail(json: unknown, mayHaveCode: boolean): boolean {
  if (typeof json !== "object" || json === null) return false;
  const { detail, ...others } = json as { detail?: unknown; code?: unknown };
  const names = Object.keys(others);
  return typeof detail === "string" && (names.length === 0 || (mayHaveCode && names.join() === "code"));
}

/** tRPC answers a batch with one result or error for each call. */
function isTrpcError(json: unknown): boolean {
  return [json].flat().every((item) => {
    const { error, result } = Object(item) as {
      error?: { data?: { stowage?: { code?: unknown } } };
      result?: object;
    };
    return result !== undefined || typeof error?.data?.stowage?.code === "string";
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
