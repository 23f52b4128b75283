import { type Operation, operations } from "@stowage/schemas";

/** The REST API of the service with the key of one project. */
export interface ProjectApi {
  /**
   * @param args with the names of the wire
   * @throws {ApiError}
   */
  call(operation: Operation, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<Json>;
  /** Whether the service can be used, and its version. It never throws. */
  health(signal: AbortSignal): Promise<Json>;
}

export type Json = Record<string, unknown>;

/** A sentence for the agent: the `detail` of the service, or why there is no answer. It never contains the key. */
export class ApiError extends Error {}

const TIMEOUT_MS = 30_000;
/** A page of 100 files with the largest metadata has less. */
const MAX_ANSWER_BYTES = 4 * 1024 ** 2;

/** @param url of the service, with or without a path */
export function createProjectApi({ url, key }: { url: string; key: string }): ProjectApi {
  const base = url.replace(/\/+$/, "");

  async function exchange(operation: Operation, args: Json, signal: AbortSignal): Promise<Exchange> {
    const isQuery = operation.method === "GET";
    let response: Response;
    let text: string;
    try {
      response = await fetch(base + operation.path + (isQuery ? queryOf(args) : ""), {
        method: operation.method,
        headers: {
          Accept: "application/json",
          ...(!operation.isPublic && { Authorization: `Bearer ${key}` }),
          ...(!isQuery && { "Content-Type": "application/json" }),
        },
        redirect: "error",
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
        ...(!isQuery && { body: JSON.stringify(args) }),
      });
      text = await readText(response);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      throw new ApiError(`The service at ${new URL(base).origin} does not answer: ${reasonOf(error)}.`);
    }
    return { status: response.status, requestId: response.headers.get("x-request-id"), body: parse(text) };
  }

  return {
    async call(operation, args, signal) {
      const { status, requestId, body } = await exchange(operation, args, signal);
      if (status === 200 && body) return body;
      const detail = typeof body?.["detail"] === "string" ? body["detail"] : "The answer is not from Stowage";
      throw new ApiError(`${detail} (status ${status}${requestId ? `, request ${requestId}` : ""})`);
    },
    async health(signal) {
      try {
        const about = await exchange(operations.describeService, {}, signal);
        if (about.body?.["name"] !== "Stowage")
          return { status: "unavailable", detail: `No Stowage service answers at ${new URL(base).origin}.` };
        const { status, body } = await exchange(operations.checkReady, {}, signal);
        return { ...(status !== 200 && { status: "unavailable" }), ...body, version: about.body["version"] };
      } catch (error) {
        if (error instanceof ApiError) return { status: "unavailable", detail: error.message };
        throw error;
      }
    },
  };
}

interface Exchange {
  status: number;
  requestId: string | null;
  /** Null if the answer is no JSON object. */
  body: Json | null;
}

/** The query of a GET: an object becomes `name[member]=value`. */
function queryOf(args: Json): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined || value === null) continue;
    if (value instanceof Date) query.set(name, value.toISOString());
    else if (typeof value !== "object") query.set(name, String(value));
    else for (const [member, text] of Object.entries(value)) query.set(`${name}[${member}]`, String(text));
  }
  return query.size === 0 ? "" : `?${query}`;
}

/** @throws {ApiError} for an answer that is larger than any that an agent can ask for */
async function readText(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > MAX_ANSWER_BYTES) throw new ApiError("The answer is too large. Ask for fewer entries.");
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function parse(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : null;
  } catch {
    return null;
  }
}

/** `fetch` names the address in no cause, and the code says more than its message "fetch failed". */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if (error.name === "TimeoutError") return `no answer within ${TIMEOUT_MS / 1000} s`;
  const { cause } = error;
  if (cause instanceof Error) return "code" in cause ? String(cause.code) : cause.message;
  return error.name;
}
