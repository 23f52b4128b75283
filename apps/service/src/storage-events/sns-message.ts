import { parse, StowageError } from "@stowage/schemas";
import * as z from "zod";

const member = (name: string) => z.string({ error: `The SNS message must have ${name} as a string` });

/*
 * The members that SNS signs, and the signature: https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
 * Every member must be a string. The signature covers the members as text, where the array ["x"] would be the same as the string
 * "x".
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

/** A message that SNS posts: https://docs.aws.amazon.com/sns/latest/dg/sns-message-and-json-formats.html */
export type SnsMessage = z.infer<typeof snsMessage>;

const isFromSns = z.object({ Type: z.string(), TopicArn: z.unknown() });

/**
 * Reads an SNS message. Its signature is not verified here.
 *
 * @returns null if the body is not an SNS message
 * @throws {StowageError} `invalid_request` for an incomplete message
 */
export function readSnsMessage(body: unknown): SnsMessage | null {
  return isFromSns.safeParse(body).success ? parse(snsMessage, body) : null;
}

/**
 * Reads the notification inside the message.
 *
 * @throws {StowageError} `invalid_request`
 */
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
