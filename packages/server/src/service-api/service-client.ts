import { StowageError, type Call } from "@stowage/schemas";
import type * as z from "zod";
import type { Config } from "../config.js";
import { operatorError } from "../errors.js";
import { linkController } from "../linked-controller.js";
import { serviceError } from "./service-error.js";

/** The body or query of a call, with the names of the wire. */
export type CallInput<Made extends Call> = Made extends { body: infer Body extends z.ZodType }
  ? z.input<Body> & object
  : Made extends { query: infer Query extends z.ZodType }
    ? z.input<Query> & object
    : never;
export type CallAnswer<Made extends Call> = z.output<Made["answer"]>;

export interface ServiceAnswer<T> {
  body: T;
  /** The time of the service's own clock, from its `Date` header. Without that header, this machine's time. */
  answeredAt: Date;
}

/** The only module that calls the Stowage service and uses the API key. */
export interface ServiceClient {
  /**
   * Makes one call, once. The input is not checked here: the service checks it.
   *
   * @param headers the optional headers of the call, such as `Idempotency-Key`
   * @throws {StowageError} the service's refusal; `unavailable` if it gives no valid answer in time or `signal` aborts
   */
  call<Made extends Call>(
    call: Made,
    input: CallInput<Made>,
    signal: AbortSignal,
    headers?: Record<string, string>,
  ): Promise<ServiceAnswer<CallAnswer<Made>>>;
}

/** The part of `fetch` that calls of the service use. */
export type ServiceFetch = (
  url: string,
  init: {
    method: Call["method"];
    headers: Record<string, string>;
    body?: string;
    redirect: "manual";
    signal: AbortSignal;
  },
) => Promise<Response>;

export type ServiceCallOptions = Pick<Config, "apiKey" | "baseUrl" | "timeoutMs"> & { fetch: ServiceFetch };

export function createServiceClient(options: ServiceCallOptions): ServiceClient {
  const { baseUrl } = options;
  return {
    async call(call, input, signal, headers = {}) {
      const { response, text } = await send(options, call, { input, signal, headers });
      const answer = parseJson(text);
      if (!response.ok) throw serviceError(response, answer, baseUrl);
      const parsed = call.answer.safeParse(answer);
      if (!parsed.success) throw notStowage(baseUrl, response);
      // The call's own schema produced this data. The compiler cannot see that, because the call is a type parameter.
      return { body: parsed.data as CallAnswer<typeof call>, answeredAt: dateOf(response) };
    },
  };
}

/** The same client, whose calls also have these headers. */
export function withHeaders(service: ServiceClient, common: Record<string, string>): ServiceClient {
  return {
    call: (call, input, signal, headers) => service.call(call, input, signal, { ...headers, ...common }),
  };
}

/** After a timeout, an immediate retry would only add load to a slow service. */
const RETRY_AFTER_TIMEOUT_SECONDS = 5;

async function send(
  options: ServiceCallOptions,
  call: Call,
  { input, signal, headers }: { input: object; signal: AbortSignal; headers: Record<string, string> },
): Promise<{ response: Response; text: string }> {
  const { controller, unlink } = linkController(signal);
  try {
    return await withinTime(options, signal, controller, async () => {
      const response = await startCall(options, call, { input, headers, signal: controller.signal });
      return { response, text: await readText(response, options) };
    });
  } finally {
    unlink();
  }
}

/** Sends the request of one call, and waits for the headers of its answer. */
export function startCall(
  { apiKey, baseUrl, fetch }: ServiceCallOptions,
  call: Call,
  { input, signal, headers }: { input: object; signal: AbortSignal; headers: Record<string, string> },
): Promise<Response> {
  return fetch(`${baseUrl}${call.path}${queryOf(call, input)}`, {
    method: call.method,
    headers: {
      Authorization: `Bearer ${apiKey}`,
      Accept: "application/json",
      ...(call.body ? { "Content-Type": "application/json" } : {}),
      ...headers,
    },
    ...(call.body ? { body: JSON.stringify(input) } : {}),
    // A followed redirect would turn a POST into a GET, or send the key to another server.
    redirect: "manual",
    signal,
  });
}

/** A proxy may quote the request in its error page. The key must not reach a browser or a log that way. */
export async function readText(response: Response, { apiKey }: ServiceCallOptions): Promise<string> {
  return removeKey(await response.text(), apiKey);
}

/**
 * Runs one step of a call, and aborts the call when the step takes longer than `timeoutMs`.
 *
 * @param controller aborts the call; it is linked to `signal`
 * @throws {StowageError} `unavailable`
 */
export async function withinTime<T>(
  { apiKey, baseUrl, timeoutMs }: ServiceCallOptions,
  signal: AbortSignal,
  controller: AbortController,
  step: () => Promise<T>,
): Promise<T> {
  if (signal.aborted) throw new StowageError("unavailable", { cause: signal.reason });
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  try {
    return await step();
  } catch (thrown) {
    if (signal.aborted) throw new StowageError("unavailable", { cause: signal.reason });
    const isTimeout = controller.signal.aborted;
    // Only the messages are kept: an error of the customer's own fetch may hold the whole request, the key included.
    const reason = isTimeout ? `no answer within ${timeoutMs} ms` : removeKey(messagesOf(thrown), apiKey);
    throw operatorError("unavailable", `The Stowage service at ${baseUrl} could not be reached: ${reason}`, {
      retryAfterSeconds: isTimeout ? RETRY_AFTER_TIMEOUT_SECONDS : undefined,
    });
  } finally {
    clearTimeout(timer);
  }
}

/** The error for an answer that does not come from a service, or from one of another version. */
export function notStowage(baseUrl: string, { status }: Response): StowageError {
  return operatorError(
    "unavailable",
    `${baseUrl} answered ${status} with something that is not a Stowage answer: check baseUrl, and that @stowage/server and the service have the same version`,
  );
}

/** Returns the query of a GET with its `?`. Leaves out members that are undefined or null. An object becomes `name[member]=value`. */
function queryOf(call: Call, input: object): string {
  if (call.query === undefined) return "";
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries<unknown>({ ...input })) {
    if (value === undefined || value === null) continue;
    if (typeof value !== "object") query.set(name, String(value));
    else for (const [member, text] of Object.entries(value)) query.set(`${name}[${member}]`, String(text));
  }
  return query.size === 0 ? "" : `?${query}`;
}

const MAX_CAUSES = 3;

/** Joins the messages of an error and its causes. `fetch` puts the real reason into `cause`. */
function messagesOf(thrown: unknown): string {
  const messages: string[] = [];
  for (let error = thrown; error instanceof Error && messages.length < MAX_CAUSES; error = error.cause) {
    if (error.message !== "") messages.push(error.message);
  }
  return messages.join(": ") || "network error";
}

const removeKey = (text: string, apiKey: string) => text.replaceAll(apiKey, "stow_live_…");

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function dateOf({ headers }: Response): Date {
  const date = new Date(headers.get("Date") ?? "");
  return Number.isNaN(date.getTime()) ? new Date() : date;
}
