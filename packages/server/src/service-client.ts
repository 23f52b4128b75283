import { StowageError } from "@stowage/schemas";
import type * as z from "zod";
import type { Config } from "./config.js";
import { fault } from "./fault.js";
import { serviceError } from "./service-error.js";

const SLOW_SERVICE_RETRY_SECONDS = 5;

export interface ServiceAnswer<T> {
  body: T;
  /** The service's own clock when it answered, as far as it says. */
  answeredAt: Date;
}

/** The one place that calls the Stowage service, and the only one that knows the key. */
export interface ServiceClient {
  /** @throws {StowageError} the service's refusal, or `unavailable` when it has no sound answer */
  post<Schema extends z.ZodType>(
    operation: "upload" | "complete",
    body: object,
    answer: Schema,
    signal: AbortSignal,
  ): Promise<ServiceAnswer<z.output<Schema>>>;
}

export function createServiceClient({
  apiKey,
  baseUrl,
  fetch,
  timeoutMs,
}: Pick<Config, "apiKey" | "baseUrl" | "fetch" | "timeoutMs">): ServiceClient {
  return {
    async post(operation, body, schema, signal) {
      const url = `${baseUrl}/api/storage/${operation}/`;
      const timeout = AbortSignal.timeout(timeoutMs);
      let response: Response;
      let text: string;
      try {
        response = await fetch(url, {
          method: "POST",
          headers: {
            Authorization: `Bearer ${apiKey}`,
            "Content-Type": "application/json",
            Accept: "application/json",
          },
          body: JSON.stringify(body),
          // Followed, a redirect turns the POST into a GET, or takes the request somewhere nobody configured.
          redirect: "manual",
          signal: AbortSignal.any([timeout, signal]),
        });
        text = await response.text();
      } catch (thrown) {
        if (signal.aborted) throw new StowageError("unavailable", { cause: signal.reason });
        // Only its words go on: a fetch of the customer's own may hang the whole request, key included, on its errors.
        const reason = timeout.aborted ? `no answer within ${timeoutMs} ms` : describe(thrown, apiKey);
        // A service too slow to answer is not helped by being asked again at once.
        const retryAfterSeconds = timeout.aborted ? SLOW_SERVICE_RETRY_SECONDS : undefined;
        throw fault("unavailable", `The Stowage service at ${baseUrl} could not be reached: ${reason}`, {
          retryAfterSeconds,
        });
      }
      const answer = readJson(text);
      if (!response.ok) throw serviceError(response, answer, baseUrl);
      const checked = schema.safeParse(answer);
      if (!checked.success) throw notOurs(baseUrl, response);
      return { body: checked.data, answeredAt: clockOf(response) };
    },
  };
}

function notOurs(baseUrl: string, { status }: Response): StowageError {
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
  return (words.join(": ") || "network error").replaceAll(apiKey, "stow_live_…");
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function clockOf({ headers }: Response): Date {
  const date = new Date(headers.get("Date") ?? "");
  return Number.isNaN(date.getTime()) ? new Date() : date;
}
