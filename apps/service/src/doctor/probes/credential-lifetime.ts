import { limits } from "@stowage/schemas";
import type { Probe } from "../probe.js";

/** What the probe is told of the credentials: never the secret. */
export interface CredentialTraits {
  accessKeyId: string;
  /** Whether the environment names a session token, in any of the usual variables. */
  hasSessionToken: boolean;
}

/**
 * A URL ends with the credentials that signed it. AWS's temporary ones start with ASIA
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html) and come with a session token.
 */
export function credentialLifetime({ accessKeyId, hasSessionToken }: CredentialTraits): Probe {
  return {
    name: "Credential lifetime",
    async run() {
      const hours = limits.uploadUrlSeconds / 3600;
      if (!accessKeyId.startsWith("ASIA") && !hasSessionToken) {
        return { verdict: "ok", found: "long-lived keys", whatToDo: null };
      }
      return {
        verdict: "warn",
        found: hasSessionToken ? "a session token is set" : "S3_ACCESS_KEY_ID is a temporary key",
        whatToDo: `Give Stowage long-lived keys of its own: upload URLs promise ${hours} hour and end with the credentials that signed them.`,
      };
    },
  };
}
