import { limits } from "@stowage/schemas";
import type { Probe } from "../probe.js";

/** What the probe needs to know about the credentials. The secret is not part of it. */
export interface CredentialTraits {
  accessKeyId: string;
  /** Whether the environment contains a session token, in any of the usual variables. */
  hasSessionToken: boolean;
}

/**
 * Warns of temporary credentials: a URL expires with the credentials that signed it. Temporary AWS keys start with ASIA
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html) and come with a session token.
 */
export function credentialLifetime({ accessKeyId, hasSessionToken }: CredentialTraits): Probe {
  return {
    name: "Credential lifetime",
    async run() {
      const hours = limits.uploadUrlSeconds / 3600;
      if (!accessKeyId.startsWith("ASIA") && !hasSessionToken) {
        return { verdict: "ok", found: "the S3 keys are long-lived", whatToDo: null };
      }
      return {
        verdict: "warn",
        found: hasSessionToken ? "a session token is set" : "S3_ACCESS_KEY_ID is a temporary key",
        whatToDo: `Give Stowage long-lived S3 keys: an upload URL should be valid for ${hours} hour, but expires with temporary keys.`,
      };
    },
  };
}
