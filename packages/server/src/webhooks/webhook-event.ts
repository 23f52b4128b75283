import {
  camelKeys,
  type CamelKeys,
  type WebhookEvent as WireEvent,
  type WebhookEventType,
} from "@stowage/schemas";
import { WebhookVerificationError } from "./webhook-verification-error.js";

export type { WebhookEventType };

/** An event of one type. `data` is what the event is about, in camelCase: `data.filePath`, `data.tenantId`, `data.projectRef`, … */
export interface WebhookEventOf<Type extends WebhookEventType> {
  /** The same in each delivery of the event. Store it to recognise duplicates. */
  id: string;
  type: Type;
  /** When the event happened. RFC 3339, UTC. */
  timestamp: string;
  data: CamelKeys<Extract<WireEvent, { type: Type }>["data"]>;
}

/**
 * A verified event. `type` decides what `data` is. A newer service can send types that this version does not know, if the endpoint
 * was set to receive them: ignore them.
 */
export type WebhookEvent = { [Type in WebhookEventType]: WebhookEventOf<Type> }[WebhookEventType];

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a body whose signature was verified. Beyond its outer shape it is trusted, so that a newer service can add members.
 *
 * @throws {WebhookVerificationError} `invalid_body`
 */
export function readEvent(id: string, body: Uint8Array): WebhookEvent {
  const { type, timestamp, data } = parseBody(body);
  if (typeof type !== "string" || typeof timestamp !== "string" || !isObject(data)) {
    throw new WebhookVerificationError("invalid_body", "The body has no type, timestamp and data");
  }
  return { id, type, timestamp, data: camelKeys(data) } as WebhookEvent;
}

function parseBody(body: Uint8Array): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(utf8.decode(body));
    return isObject(parsed) ? parsed : {};
  } catch (thrown) {
    throw new WebhookVerificationError("invalid_body", "The body is not JSON in UTF-8", { cause: thrown });
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
