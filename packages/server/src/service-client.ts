import { StowageError, type Call } from "@stowage/schemas";
import type * as z from "zod";
import type { Config } from "./config.js";
import { fault } from "./fault.js";
import { type Stop, TimeLimit } from "./limit-time.js";
import { serviceError } from "./service-error.js";
import type { ServiceFetchOf, ServiceResponse } from "./service-fetch.js";

const SLOW_SERVICE_RETRY_SECONDS = 5;

/** What a call takes, body or query, in the words of the wire. */
export type CallInput<Made extends Call> = Made extends { body: infer Body extends z.ZodType }
  ? z.input<Body> & object
  : Made extends { query: infer Query extends z.ZodType }
    ? z.input<Query> & object
    : never;
export type CallAnswer<Made extends Call> = z.output<Made["answer"]>;

export interface ServiceAnswer<T> {
  body: T;
  /** The service's own clock when it answered, as far as it says. */
  answeredAt: Date;
}

/** The one place that calls the Stowage service, and the only one that knows the key. */
export interface ServiceClient {
  /**
   * One of `calls`, made once. What the service judges is not judged here before it.
   *
   * @throws {StowageError} the service's refusal, or `unavailable` when it has no sound answer
   */
  call<Made extends Call>(
    call: Made,
    input: CallInput<Made>,
    options: { stop: Stop },
  ): Promise<ServiceAnswer<CallAnswer<Made>>>;
}

export function createServiceClient({
  apiKey,
  baseUrl,
  fetchOf,
  timeoutMs,
}: Pick<Config, "apiKey" | "baseUrl" | "timeoutMs"> & { fetchOf: ServiceFetchOf }): ServiceClient {
  const fetch = fetchOf(baseUrl);
  return {
    async call(call, input, { stop }) {
      if (stop.aborted) throw new StowageError("unavailable", { cause: stop.reason });
      const limit = new TimeLimit(timeoutMs, stop);
      let response: ServiceResponse;
      let text: string;
      try {
        response = await fetch(
          `${call.path}${queryOf(call, input)}`,
          {
            method: call.method,
            headers: {
              Authorization: `Bearer ${apiKey}`,
              Accept: "application/json",
              ...(call.body ? { "Content-Type": "application/json" } : {}),
            },
            ...(call.body ? { body: JSON.stringify(input) } : {}),
          },
          limit,
        );
        // A proxy that quotes what it was sent must not have the key reach a browser or a log.
        text = withoutKey(await response.text(), apiKey);
      } catch (thrown) {
        if (stop.aborted) throw new StowageError("unavailable", { cause: stop.reason });
        // Only its words go on: a fetch of the customer's own may hang the whole request, key included, on its errors.
        const reason = limit.isLate ? `no answer within ${timeoutMs} ms` : describe(thrown, apiKey);
        // A service too slow to answer is not helped by being asked again at once.
        const retryAfterSeconds = limit.isLate ? SLOW_SERVICE_RETRY_SECONDS : undefined;
        throw fault("unavailable", `The Stowage service at ${baseUrl} could not be reached: ${reason}`, {
          retryAfterSeconds,
        });
      } finally {
        limit.end();
      }
      const answer = readJson(text);
      if (!response.ok) throw serviceError(response, answer, baseUrl);
      const checked = call.answer.safeParse(answer);
      if (!checked.success) throw notOurs(baseUrl, response);
      // The table's own schema has just made it: the compiler cannot follow a call that is a type parameter.
      return { body: checked.data as CallAnswer<typeof call>, answeredAt: clockOf(response) };
    },
  };
}

/** The query of a GET, `?` included; what is undefined or null is not named. */
function queryOf(call: Call, input: object): string {
  if (call.query === undefined) return "";
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries<unknown>({ ...input })) {
    if (value !== undefined && value !== null) query.set(name, String(value));
  }
  return query.size === 0 ? "" : `?${query}`;
}

function notOurs(baseUrl: string, { status }: ServiceResponse): StowageError {
  return fault(
    "unavailable",
    `${baseUrl} answered ${status} with something that is not Stowage's answer: check baseUrl, and that helper and service are of one version`,
  );
}

function describe(thrown: unknown, apiKey: string): string {
  const words: string[] = [];
  for (let error = thrown; error instanceof Error && words.length < 3; error = error.cause) {
    if (error.message !== "") words.push(error.message);
  }
  return withoutKey(words.join(": ") || "network error", apiKey);
}

const withoutKey = (text: string, apiKey: string) => text.replaceAll(apiKey, "stow_live_…");

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function clockOf({ headers }: ServiceResponse): Date {
  const date = new Date(headers.get("Date") ?? "");
  return Number.isNaN(date.getTime()) ? new Date() : date;
}
