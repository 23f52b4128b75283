import { discover, ProviderError } from "#auth/oidc-network.js";
import type { Finding } from "./probe.js";

const NAME = "OpenID Connect";

/** Reads the discovery document of the provider of OIDC_ISSUER. */
export async function checkOidc(issuer: string): Promise<Finding> {
  try {
    await discover(issuer);
    return {
      name: NAME,
      verdict: "ok",
      found: "the provider's discovery document is usable",
      whatToDo: null,
    };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const whatToDo =
      "Compare OIDC_ISSUER with your provider: docs/oidc.md. Until then, operators sign in with passwords only.";
    return { name: NAME, verdict: "warn", found: error.message, whatToDo };
  }
}
