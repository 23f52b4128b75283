import { StowageError } from "@stowage/schemas";
import type { Sns } from "./sns.js";
import type { SnsMessage } from "./sns-message.js";

export interface AcceptSnsMessageDeps {
  sns: Sns;
  /** ARNs of the topics that may send. None: SNS may not. */
  snsTopics: readonly string[];
}

/**
 * Lets in a message of a topic that is allowed, once its signature is verified. A subscription of such a topic is confirmed.
 * Anybody can have a topic and its valid signature, so without the list nothing is accepted.
 *
 * @throws {StowageError} `unauthorized` for another topic or a forged message, `unavailable`
 */
export async function acceptSnsMessage(deps: AcceptSnsMessageDeps, message: SnsMessage): Promise<void> {
  if (!deps.snsTopics.includes(message.TopicArn)) {
    throw new StowageError("unauthorized", {
      detail: "The SNS topic is not one of STORAGE_EVENTS_SNS_TOPICS",
    });
  }
  await deps.sns.verify(message);
  if (message.Type !== "SubscriptionConfirmation") return;
  if (!isConfirmation(message.SubscribeURL, message.TopicArn)) {
    throw new StowageError("unauthorized", {
      detail: "The SNS message's SubscribeURL is not one of its topic",
    });
  }
  await deps.sns.follow(message.SubscribeURL);
}

/** Whether the link does what it should, where it should: this service follows no other. */
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
