import { limits } from "@stowage/schemas";
import type { CredentialsProvider } from "#object-store/credentials.js";
import { ok, type Probe, type ProbeResult, warn } from "../probe.js";

/** What the probe needs to know about keys of the settings. The secret is not part of it. */
export interface CredentialTraits {
  accessKeyId: string;
  /** Whether the environment contains a session token, in any of the usual variables. */
  hasSessionToken: boolean;
}

/**
 * Says how long the keys last: a URL expires with the keys that signed it.
 *
 * @param credentials those of the settings, or the provider of temporary ones
 */
export function credentialLifetime(credentials: CredentialTraits | CredentialsProvider): Probe {
  return {
    name: "Credential lifetime",
    run: async () =>
      typeof credentials === "function" ? describeProvided(credentials) : describeGiven(credentials),
  };
}

const RENEWED = "Leave S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY out, and Stowage renews temporary keys.";

/** Temporary AWS keys start with ASIA (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html). */
function describeGiven({ accessKeyId, hasSessionToken }: CredentialTraits): ProbeResult {
  if (accessKeyId.startsWith("ASIA"))
    return warn("S3_ACCESS_KEY_ID is a temporary key, and its session token cannot be set", RENEWED);
  if (hasSessionToken)
    return warn("a session token is set, and S3_ACCESS_KEY_ID is used without it", RENEWED);
  return ok("the S3 keys are long-lived");
}

/** @throws {StowageError} `unavailable` if there are no keys */
async function describeProvided(credentials: CredentialsProvider): Promise<ProbeResult> {
  const { sessionToken, expiration } = await credentials();
  if (expiration === undefined) {
    if (sessionToken === undefined) return ok("the platform's keys are long-lived");
    return warn(
      "the platform's keys are temporary, and their source does not say when they end",
      "Use a source that says it: URLs may end earlier than Stowage promises.",
    );
  }
  const minutes = Math.floor((expiration.getTime() - Date.now()) / 60_000);
  const hours = limits.uploadUrlSeconds / 3600;
  const found = `the platform's keys end in ${minutes} minutes, and are renewed`;
  return minutes >= SHORT_MINUTES
    ? ok(found)
    : { verdict: "info", found: `${found}; until then no URL is valid for ${hours} hour`, whatToDo: null };
}

/** Sessions of an hour are common. Their URLs are a few minutes shorter. */
const SHORT_MINUTES = 50;
