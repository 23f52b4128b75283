import { webhookEventTypes } from "@stowage/schemas";
import * as z from "zod";
import { cursor, identifier, limit } from "./fields.js";

/*
 * Inputs of the calls about webhook endpoints and their deliveries.
 */

/** A project has at most this many. */
export const MAX_WEBHOOK_ENDPOINTS = 10;

export const webhookUrl = z
  .string({ error: "url is required" })
  .trim()
  .max(2000, { error: "url must have at most 2000 characters" })
  .pipe(z.url({ protocol: /^https?$/, error: "url must be an http or https URL", abort: true }))
  .refine((url) => !hasCredentials(url), { error: "url must not contain a user or a password" });

const description = z
  .string()
  .trim()
  .max(200, { error: "description must have at most 200 characters" })
  .regex(/^[^\p{Cc}\u2028-\u202e\u2066-\u2069]*$/u, {
    error: "description must not have control characters",
  })
  .refine((value) => value.isWellFormed(), { error: "description must be valid Unicode" });

const events = z
  .array(z.enum(webhookEventTypes, { error: `events must be of ${webhookEventTypes.join(", ")}` }), {
    error: "events is required",
  })
  .min(1, { error: "events must name at least one event" })
  .max(100)
  .transform((chosen) => webhookEventTypes.filter((type) => chosen.includes(type)));

export const createEndpointInput = z.object({
  url: webhookUrl,
  description: description.default(""),
  events,
});
export type CreateEndpointInput = z.output<typeof createEndpointInput>;

export const endpointInput = z.object({ endpointRef: identifier });
export type EndpointInput = z.output<typeof endpointInput>;

export const changeEndpointInput = endpointInput.extend({
  url: webhookUrl.optional(),
  description: description.optional(),
  events: events.optional(),
  /** False stops deliveries until an operator enables the endpoint again. True also ends what disabled it. */
  isEnabled: z.boolean().optional(),
});
export type ChangeEndpointInput = z.output<typeof changeEndpointInput>;

const eventId = z.uuid({ error: "eventId must be the id of an event" });

export const deliveriesListInput = endpointInput.extend({
  /** Only deliveries that failed for good or were skipped. */
  onlyUndelivered: z.boolean().default(false),
  cursor,
  limit,
});
export type DeliveriesListInput = z.output<typeof deliveriesListInput>;

export const deliveryInput = endpointInput.extend({ eventId });
export type DeliveryInput = z.output<typeof deliveryInput>;

export const redeliverSinceInput = endpointInput.extend({
  since: z.iso.datetime({ offset: true, error: "since must be a time like 2026-01-31T12:00:00Z" }),
  /** The `next` of the last answer: each call sends at most a thousand events. */
  after: eventId.optional(),
});
export type RedeliverSinceInput = z.output<typeof redeliverSinceInput>;

function hasCredentials(url: string): boolean {
  const { username, password } = new URL(url);
  return username !== "" || password !== "";
}
