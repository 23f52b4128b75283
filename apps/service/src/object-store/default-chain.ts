import { defaultProvider } from "@aws-sdk/credential-provider-node";
import type { Credentials } from "./credentials.js";
import { CredentialsError } from "./keep-renewed.js";

/**
 * Asks the default provider chain of the AWS SDK, with its variables and files:
 * https://docs.aws.amazon.com/sdkref/latest/guide/standardized-credentials.html
 *
 * @param timeoutMs for each request to a source
 */
export async function loadFromDefaultChain(timeoutMs: number): Promise<Credentials> {
  // A new chain each time: a used one would answer what it remembers, and after an outage of EC2's metadata with a later end than the keys have.
  const load = defaultProvider({
    ignoreCache: true,
    logger: SILENT,
    timeout: Math.min(timeoutMs, METADATA_TIMEOUT_MS),
    maxRetries: 1,
    clientConfig: {
      maxAttempts: 2,
      requestHandler: {
        connectionTimeout: timeoutMs,
        requestTimeout: timeoutMs,
        throwOnRequestTimeout: true,
      },
    },
  });
  const keys = await load().catch(explain);
  const { accessKeyId, secretAccessKey, sessionToken } = keys;
  const expiration = "originalExpiration" in keys ? (keys.originalExpiration as Date) : keys.expiration;
  return {
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
    ...(expiration !== undefined && { expiration }),
  };
}

/** On a machine without them, the addresses of metadata may not answer at all. The SDK's own limit is one second. */
const METADATA_TIMEOUT_MS = 1000;

/** The SDK would write warnings to the console, beside the log. */
const SILENT = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

function explain(error: unknown): never {
  const isEmpty = error instanceof Error && error.message === "Could not load credentials from any providers";
  throw isEmpty
    ? new CredentialsError(
        "S3_ACCESS_KEY_ID is not set, and no source of the AWS SDK's default chain has credentials",
      )
    : error;
}
