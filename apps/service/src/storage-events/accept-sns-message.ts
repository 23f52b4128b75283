import { StowageError } from "@stowage/schemas";
import type { Sns } from "./sns.js";
import type { SnsMessage } from "./sns-message.js";

export interface AcceptSnsMessageDeps {
  sns: Sns;
  /** ARNs of the topics that may send messages. If empty, all SNS messages are refused. */
  snsTopics: readonly string[];
}

/**
 * Accepts a message if its topic is allowed and its signature is valid, and confirms a subscription to such a topic. A valid
 * signature alone is not enough, because every AWS customer can create a topic.
 *
 * @throws {StowageError} `unauthorized` for another topic or a forged message, `unavailable`
 */
export async function acceptSnsMessage(deps: AcceptSnsMessageDeps, message: SnsMessage): Promise<void> {
  if (!deps.snsTopics.includes(message.TopicArn)) {
    throw new StowageError("unauthorized", {
      detail: "The SNS topic is not listed in STORAGE_EVENTS_SNS_TOPICS",
    });
  }
  await deps.sns.verify(message);
  if (message.Type !== "SubscriptionConfirmation") return;
  if (!isConfirmation(message.SubscribeURL, message.TopicArn)) {
    throw new StowageError("unauthorized", {
      detail: "The SNS message's SubscribeURL does not belong to its topic",
    });
  }
  await deps.sns.confirmSubscription(message.SubscribeURL);
}

/** Whether the link confirms a subscription to this topic at AWS. The service requests no other URL. */
function isConfirmation(link: string, topicArn: string): boolean {
  const [, partition, , region] = topicArn.split(":");
  const host = `sns.${region}.amazonaws.com${partition === "aws-cn" ? ".cn" : ""}`;
  if (!URL.canParse(link)) return false;
  const url = new URL(link);
  return (
    url.origin === `https://${host}` &&
    url.username === "" &&
    url.password === "" &&
    url.pathname === "/" &&
    url.searchParams.get("Action") === "ConfirmSubscription" &&
    url.searchParams.get("TopicArn") === topicArn
  );
}
