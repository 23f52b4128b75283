import { type Agent, get } from "node:https";
import { StowageError } from "@stowage/schemas";
import SnsPayloadValidator from "sns-payload-validator";
import type { SnsMessage } from "./sns-message.js";

/** The parts of AWS's notification service that this service uses. */
export interface Sns {
  /**
   * Verifies that SNS signed the message.
   *
   * @throws {StowageError} `unauthorized` if it did not; `unavailable` if its certificate cannot be fetched
   */
  verify(message: SnsMessage): Promise<void>;
  /**
   * Requests the link that confirms a subscription.
   *
   * @throws {StowageError} `unavailable`
   */
  confirmSubscription(url: string): Promise<void>;
}

export interface SnsOptions {
  /** Opens the connections to AWS. */
  agent: Agent;
  timeoutMs: number;
}

const RETRY_AFTER_SECONDS = 10;

/**
 * Verifies signatures with `sns-payload-validator`, which fetches certificates only from `https://sns.<region>.amazonaws.com` and
 * caches them. This function fixes two of its defects: it has no time limit, and it caches an error page as if it were a
 * certificate.
 */
export function createSns({ agent, timeoutMs }: SnsOptions): Sns {
  const newValidator = () => new SnsPayloadValidator({ requestAgent: agent });
  let validator = newValidator();
  return {
    async verify(message) {
      try {
        await withTimeout(timeoutMs, validator.validate(message));
      } catch (cause) {
        // The cache may now contain an error page instead of a certificate, so it is thrown away.
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
    async confirmSubscription(url) {
      const status = await statusOf(url, agent, timeoutMs).catch((cause: unknown) => {
        throw unavailable(cause);
      });
      if (status < 200 || status > 299) {
        throw unavailable(new Error(`SNS answered the confirmation of a subscription with HTTP ${status}`));
      }
    },
  };
}

async function withTimeout<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("SNS did not send its certificate in time")), timeoutMs);
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
