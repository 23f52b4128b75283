import { StowageError } from "@stowage/schemas";
import { errorBodyOf, logToConsole, operatorError, reportError, toStowageError } from "../errors.js";
import type { Handler } from "../http/handler.js";
import { errorResponse, jsonResponse } from "../http/json-response.js";
import { verifyWebhook } from "./verify-webhook.js";
import type { WebhookEvent, WebhookEventOf, WebhookEventType } from "./webhook-event.js";
import { readSecrets, type WebhookSecrets } from "./webhook-secrets.js";
import { WebhookVerificationError } from "./webhook-verification-error.js";

/** A function for each type of event. Events of other types are accepted and ignored. */
export type WebhookCallbacks = {
  [Type in WebhookEventType]?:
    ((event: WebhookEventOf<Type>, context: { request: Request }) => unknown) | undefined;
};

/** The secret, and a function for each kind of event. */
export interface WebhookHandlerOptions {
  /** The endpoint's signing secret, or several: one has to match. `undefined` is refused at run time. */
  secret: WebhookSecrets;
  /**
   * What to do with each type of event. If the function throws or rejects, the service sends the event again later. It waits
   * 10 seconds for the response. The same event can arrive more than once: `event.id` tells.
   */
  on: WebhookCallbacks;
  /** By how many seconds a webhook's timestamp may differ from this machine's clock. @default 300 */
  toleranceSeconds?: number | undefined;
  /** Receives the errors of your functions. @default console.error */
  onError?: ((error: Error) => void) | undefined;
}

/**
 * Creates a receiver of webhooks. Mount it like the helper: `toNextHandlers`, `toExpressHandler`, `toHonoHandler`,
 * `toFastifyPlugin` and `toNodeHandler` take it, and `handler` takes a Web request.
 *
 * It answers 204 for an accepted event, 400 or 413 for a webhook that fails verification, and 500 if your function throws.
 *
 * @throws {TypeError} for a missing or malformed secret
 * @example
 * const webhooks = webhookHandler({
 *   secret: process.env.STOWAGE_WEBHOOK_SECRET,
 *   on: { "file.stored": (event) => console.log(event.data.filePath) },
 * });
 * app.post("/webhooks/stowage", toExpressHandler(webhooks));
 */
export function webhookHandler(options: WebhookHandlerOptions): { handler: Handler } {
  readSecrets(options.secret); // Fails when the app starts, not with the first webhook.
  const { onError = logToConsole } = options;
  return {
    handler: async (request) => {
      try {
        return await respond(options, request);
      } catch (thrown) {
        if (thrown instanceof WebhookVerificationError) return refusal(thrown);
        const error = toStowageError(thrown);
        reportError(onError, error, request);
        return errorResponse(error);
      }
    },
  };
}

async function respond(
  { secret, on, toleranceSeconds }: WebhookHandlerOptions,
  request: Request,
): Promise<Response> {
  if (request.method !== "POST") {
    return jsonResponse(405, errorBodyOf(new StowageError("method_not_allowed")), { Allow: "POST" });
  }
  const event = await verifyWebhook(request, secret, { toleranceSeconds });
  await runCallback(on, event, request);
  return new Response(null, { status: 204, headers: { "Cache-Control": "no-store" } });
}

async function runCallback(on: WebhookCallbacks, event: WebhookEvent, request: Request): Promise<void> {
  if (!Object.hasOwn(on, event.type)) return;
  // TypeScript cannot see that the function and the event have the same type.
  const callback = on[event.type] as ((event: WebhookEvent, context: object) => unknown) | undefined;
  try {
    await callback?.(event, { request });
  } catch (thrown) {
    throw operatorError("internal_error", `on["${event.type}"] threw an error`, { cause: thrown });
  }
}

function refusal({ code, message }: WebhookVerificationError): Response {
  return jsonResponse(code === "body_too_large" ? 413 : 400, { detail: message, code });
}
