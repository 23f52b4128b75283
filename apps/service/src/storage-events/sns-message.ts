import { parse, StowageError } from "@stowage/schemas";
import * as z from "zod";

const member = (name: string) => z.string({ error: `The SNS message must have ${name} as a string` });

/*
 * What SNS signs, and what proves it: https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
 * Everything is held to be a string here, since the signature is over the members' text: ["x"] reads like "x" there.
 */
const signed = {
  Message: member("Message"),
  MessageId: member("MessageId"),
  Timestamp: member("Timestamp"),
  TopicArn: member("TopicArn"),
  Signature: member("Signature"),
  SignatureVersion: z.enum(["1", "2"], { error: "The SNS message must have SignatureVersion 1 or 2" }),
  SigningCertURL: member("SigningCertURL"),
};
const aboutSubscription = { ...signed, Token: member("Token"), SubscribeURL: member("SubscribeURL") };

const subject = z.string({ error: "The SNS message's Subject must be a string" }).exactOptional();
const snsMessage = z.discriminatedUnion(
  "Type",
  [
    z.object({ Type: z.literal("Notification"), ...signed, Subject: subject }),
    z.object({ Type: z.literal("SubscriptionConfirmation"), ...aboutSubscription }),
    z.object({ Type: z.literal("UnsubscribeConfirmation"), ...aboutSubscription }),
  ],
  { error: "The SNS message is of an unknown Type" },
);

/** A message as SNS posts it: https://docs.aws.amazon.com/sns/latest/dg/sns-message-and-json-formats.html */
export type SnsMessage = z.infer<typeof snsMessage>;

const isFromSns = z.object({ Type: z.string(), TopicArn: z.unknown() });

/**
 * Reads an SNS message, without believing it yet. @returns null for what is none
 *
 * @throws {StowageError} `invalid_request` for a message that is not complete
 */
export function readSnsMessage(body: unknown): SnsMessage | null {
  return isFromSns.safeParse(body).success ? parse(snsMessage, body) : null;
}

/** The notification within. @throws {StowageError} `invalid_request` */
export function readSnsContent(message: SnsMessage): unknown {
  try {
    return JSON.parse(message.Message);
  } catch (cause) {
    throw new StowageError("invalid_request", {
      detail: "The SNS message's Message must be valid JSON",
      cause,
    });
  }
}
