import { type Agent, get } from "node:https";
import { StowageError } from "@stowage/schemas";
import SnsPayloadValidator from "sns-payload-validator";
import type { SnsMessage } from "./sns-message.js";

/** AWS's notification service as this service meets it. */
export interface Sns {
  /** @throws {StowageError} `unauthorized` when it did not sign the message; `unavailable` when its certificate cannot be had */
  verify(message: SnsMessage): Promise<void>;
  /** Follows a link that confirms a subscription. @throws {StowageError} `unavailable` */
  follow(url: string): Promise<void>;
}

export interface SnsOptions {
  /** Makes the connections to AWS. */
  agent: Agent;
  timeoutMs: number;
}

const RETRY_AFTER_SECONDS = 10;

/**
 * Verifies signatures with `sns-payload-validator`, which fetches certificates from `https://sns.<region>.amazonaws.com`
 * alone and keeps them. It knows no time limit and keeps an error page like a certificate: both are mended here.
 */
export function createSns({ agent, timeoutMs }: SnsOptions): Sns {
  const newValidator = () => new SnsPayloadValidator({ requestAgent: agent });
  let validator = newValidator();
  return {
    async verify(message) {
      try {
        await within(timeoutMs, validator.validate(message));
      } catch (cause) {
        // What it kept may be an error page that came in a certificate's place: nothing of it is used again.
        validator = newValidator();
        if (cause instanceof Error && cause.message.startsWith("Invalid ")) {
          throw new StowageError("unauthorized", {
            detail: "The SNS message's signature is not valid",
            cause,
          });
        }
        throw unavailable(cause);
      }
    },
    async follow(url) {
      const status = await statusOf(url, agent, timeoutMs).catch((cause: unknown) => {
        throw unavailable(cause);
      });
      if (status < 200 || status > 299) {
        throw unavailable(new Error(`the confirmation of a subscription was answered with ${status}`));
      }
    },
  };
}

async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("SNS's certificate did not come in time")), timeoutMs);
  });
  return Promise.race([work, deadline]).finally(() => clearTimeout(timer));
}

function statusOf(url: string, agent: Agent, timeoutMs: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, signal: AbortSignal.timeout(timeoutMs) }, (response) => {
      response.on("error", reject).resume();
      resolve(response.statusCode ?? 0);
    });
    request.on("error", reject);
  });
}

function unavailable(cause: unknown): StowageError {
  return new StowageError("unavailable", { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}
