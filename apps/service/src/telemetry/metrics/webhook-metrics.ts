import type { Registry } from "prom-client";
import { timeCall } from "#lib/time-call.js";
import type { PostWebhook, WebhookAnswer } from "#webhooks/post-webhook.js";
import { addHistogram } from "./families.js";

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const outcomes = ["delivered", "refused", "no_answer"] as const;

/** Requests to the receivers of webhooks. */
export function addWebhookMetrics(registry: Registry) {
  const requests = addHistogram(registry, {
    name: "stowage_webhook_request_duration_seconds",
    help: "Tries to deliver a webhook. delivered: the answer was 2xx; refused: another status; no_answer: none within ten seconds.",
    labelNames: ["outcome"] as const,
    buckets: SECONDS,
  });
  for (const outcome of outcomes) requests.zero({ outcome });
  return {
    watchPost:
      (post: PostWebhook): PostWebhook =>
      async (request, signal) => {
        let seconds = 0;
        const answer = await timeCall(
          () => post(request, signal),
          (end) => (seconds = end.seconds),
        );
        requests.observe({ outcome: outcomeOf(answer) }, seconds);
        return answer;
      },
  };
}

function outcomeOf({ status }: WebhookAnswer): (typeof outcomes)[number] {
  if (status === null) return "no_answer";
  return status >= 200 && status < 300 ? "delivered" : "refused";
}
