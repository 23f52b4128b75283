import type { WebhookDeliveryState, WebhookDisabledReason } from "@stowage/operator-schemas";
import { formatCount } from "../../components/format.js";

const countEvents = (n: number) => (n === 1 ? "1 event" : `${formatCount(n)} events`);

/** Texts of the pages about webhooks. */
export const webhooks = {
  title: "Webhooks",
  hint: "Stowage calls your backend when files and tenants change.",
  ownersOnly: "Only owners of the project can change its webhook endpoints.",
  none: "No webhook endpoints",
  noneHint:
    "An endpoint is a URL of your backend. Stowage sends it a signed request for each event, such as a stored file, and tries again until it answers.",
  add: "Add endpoint",

  endpoint: "Endpoint",
  endpoints: "Webhook endpoints",
  url: "URL",
  urlHint: "An https address of your backend",
  description: "Description",
  descriptionHint: "For the operators of this project",
  events: "Events",
  chooseAll: "Choose all events",
  chooseNone: "Choose none",
  noEvents: "Choose at least one event.",
  state: "State",
  lastDelivery: "Last delivery",
  noDelivery: "None yet",
  created: "Created",
  back: "All endpoints",
  notFound: "Webhook endpoint not found",
  notFoundHint: "It does not exist, or it was deleted.",

  enabled: "Enabled",
  failing: "Failing",
  disabled: "Disabled",
  failingSince: "All tries have failed since",
  disabledSince: "Nothing is sent since",
  disabledReasons: {
    operator: "An operator disabled it.",
    gone: "It answered 410 Gone.",
    failing: "Every try failed for five days.",
  } satisfies Record<WebhookDisabledReason, string>,
  disabledHint: "Events that happen now are skipped. Enable the endpoint, then redeliver them.",
  enable: "Enable again",
  disable: "Disable",
  disableTitle: "Disable the endpoint?",
  disableHint:
    "Stowage sends nothing to it until you enable it again. Events of that time are skipped, and you can redeliver them for 30 days.",
  isEnabled: "The endpoint is enabled.",
  isDisabled: "The endpoint is disabled.",

  addTitle: "Add an endpoint",
  change: "Change",
  changeTitle: "Change the endpoint",
  changed: "The endpoint was changed.",

  secret: "Signing secret",
  secretHidden: "Shown only when it is made",
  overlapUntil: "The secret before it also signs until",
  rotate: "Rotate secret",
  rotateTitle: "Rotate the secret?",
  rotateHint:
    "Stowage makes a new secret. For 24 hours, it signs each delivery with the new and with the old secret, so your backend accepts events before and after you replace it there.",
  rotateAgainWarning: "A rotation is not over. The secret before the current one stops signing now.",
  rotateAction: "Rotate now",
  secretTitle: "The endpoint's secret",
  /** As {@link ShownOnce} shows the secret. */
  newSecret: {
    shownOnce: "This secret is shown only once",
    shownOnceHint:
      "Copy it to the place where your backend keeps its secrets. Your backend verifies the signature of each request with it. A lost secret can only be replaced.",
    label: "Signing secret",
    copy: "secret",
    saved: "I have saved the secret",
  },

  delete: "Delete",
  deleteTitle: "Delete the endpoint?",
  deleteHint:
    "Events that are waiting for it are not sent, and its log of deliveries is gone. This cannot be undone.",
  deleted: "The endpoint was deleted.",

  test: "Send a test",

  deliveries: "Deliveries",
  deliveriesHint: "Of the last 30 days, newest event first.",
  views: "Deliveries by state",
  all: "All",
  undelivered: "Not delivered",
  undeliveredCount: (count: string) => `${count} not delivered`,
  undeliveredOf: (count: string, url: string) => `${count} not delivered to ${url}`,
  noDeliveries: "No deliveries yet",
  noDeliveriesHint: "They appear here as soon as an event happens. Send a test to try the endpoint.",
  noneUndelivered: "Every delivery succeeded or is waiting",
  event: "Event",
  subject: "About",
  happened: "Happened",
  tries: "Tries",
  answer: "Answer",
  noAnswer: "None",
  states: {
    pending: "Waiting",
    delivered: "Delivered",
    failed: "Failed",
    skipped: "Skipped",
  } satisfies Record<WebhookDeliveryState, string>,
  nextTry: "next try",
  meaning: {
    pending: "Stowage tries it, or tries it again later.",
    delivered: "The endpoint accepted it.",
    failed: "Stowage has stopped trying.",
    skipped: "The endpoint was disabled at that time.",
  } satisfies Record<WebhookDeliveryState, string>,

  delivery: "Delivery",
  body: "Request body",
  noTries: "No try yet.",
  lastTry: "Last try",
  earlierTries: "Earlier tries",
  took: (time: string) => `in ${time}`,
  status: (code: number) => `Status ${code}`,
  answerText: "Answer",
  redeliver: "Redeliver",
  redelivered: "The event is sent again.",
  redeliverSince: "Redeliver since…",
  redeliverTitle: "Redeliver events",
  redeliverHint:
    "Sends all events since that time again, also those that were delivered. Your backend recognises them by their webhook-id.",
  since: "Since",
  sinceHint: "In your time zone. At most 30 days ago",
  sinceInvalid: "Enter a time in the past.",
  redeliverAction: "Redeliver",
  redeliveredSoFar: (n: number) => `${countEvents(n)} so far`,
  redeliveredMany: (n: number) =>
    n === 0
      ? "There are no events since that time."
      : n === 1
        ? "1 event is sent again."
        : `${countEvents(n)} are sent again.`,
} as const;
