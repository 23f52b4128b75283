import * as z from "zod";
import { camelKeys } from "../casing.js";
import { timestamp } from "../fields.js";
import type { About, Call } from "../call.js";
import { limits } from "../limits.js";
import { type ChosenWebhookEventType, webhookEventTypes } from "../webhooks.js";

const types = z
  .string({ error: "types must be types of events, separated by commas" })
  .transform((text) => text.split(","))
  .refine((names) => names.every((name) => webhookEventTypes.includes(name as ChosenWebhookEventType)), {
    error: `types must be some of ${webhookEventTypes.join(", ")}, separated by commas`,
  })
  .transform((names) => names as ChosenWebhookEventType[])
  .describe("Only events of these types, separated by commas. Default: all.");

/** Query of `GET /api/storage/events/`. */
export const followEventsQuery = z
  .object({
    after: z
      .string({ error: "after must be a string" })
      .describe(
        "The next_cursor of the previous answer. Without it, the oldest event that is kept comes first.",
      )
      .optional(),
    types: types.optional(),
    limit: z.coerce
      .number({ error: "limit must be a number" })
      .int({ error: "limit must be a whole number" })
      .min(1, { error: "limit must be at least 1" })
      .max(limits.eventsPageSize, { error: `limit must be at most ${limits.eventsPageSize}` })
      .default(100)
      .describe("Events per answer."),
    wait: z.coerce
      .number({ error: "wait must be a number of seconds" })
      .min(0, { error: "wait must be at least 0 seconds" })
      .max(limits.eventsWaitSeconds, { error: `wait must be at most ${limits.eventsWaitSeconds} seconds` })
      .default(0)
      .describe("Seconds to wait for an event if there is none."),
  })
  .transform(camelKeys);
export type FollowEventsQuery = z.output<typeof followEventsQuery>;

/**
 * An event of the log. The schema names neither types nor members of `data`, so that a client takes the events of a newer service:
 * `webhookEvent` describes them.
 */
export const followedEvent = z.object({
  id: z.string().describe("Also the webhook-id of the event. It never changes, so it tells duplicates."),
  type: z.string().describe("As of webhooks, such as file.stored."),
  timestamp: timestamp.describe("When the event happened. RFC 3339, UTC."),
  data: z.record(z.string(), z.unknown()).describe("As of the webhook of this type."),
});
export type FollowedEvent = z.infer<typeof followedEvent>;

/** Answer of `GET /api/storage/events/`. */
export const followEventsResponse = z.object({
  events: z.array(followedEvent),
  next_cursor: z.string().describe("Pass it as after with the next request, also if there were no events."),
});
export type FollowEventsResponse = z.infer<typeof followEventsResponse>;

export const call = {
  method: "GET",
  path: "/api/storage/events/",
  query: followEventsQuery,
  answer: followEventsResponse,
} as const satisfies Call;

export const about = {
  tag: "Events",
  names: { answer: "EventPage" },
  lane: "list",
  summary: "Follow the events of the project",
  description:
    "Answers the events of the last 30 days, the same as webhooks send, in the order of their commits. A reader that passes each next_cursor as after gets every event at least once. The first call starts the log. It also adds tenant.created and file.stored for the tenants and stored files of the last 30 days. The log stops after 31 days without a call.",
  errors: ["cursor_expired"],
  example: { types: "file.stored,file.deleted", limit: 100 },
} as const satisfies About;
