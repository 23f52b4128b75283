import { WEBHOOK_SECRET_PREFIX, webhookKeyBytes } from "@stowage/schemas";

/** An endpoint's signing secret, or several ones. At least one must be set: `undefined` alone is refused at run time. */
export type WebhookSecrets = string | undefined | readonly (string | undefined)[];

/**
 * Returns the keys of the secrets. The type has no parameter, because this declaration is published and `Uint8Array` is not generic
 * before TypeScript 5.7.
 *
 * @throws {TypeError} one sentence on the first wrong secret; it never contains the secret
 */
export function readSecrets(secrets: WebhookSecrets): Uint8Array[] {
  const given: unknown[] = Array.isArray(secrets) ? secrets : [secrets];
  const set = given.filter((secret) => secret !== undefined && secret !== "");
  if (set.length > 0) return set.map(keyOf);
  throw new TypeError("secret is missing: pass the endpoint's signing secret, which begins with whsec_");
}

function keyOf(secret: unknown): Uint8Array {
  if (typeof secret !== "string" || !secret.startsWith(WEBHOOK_SECRET_PREFIX)) {
    throw new TypeError("secret must be the endpoint's signing secret, which begins with whsec_");
  }
  const base64 = secret.slice(WEBHOOK_SECRET_PREFIX.length);
  const key = Buffer.from(base64, "base64");
  const hasKeyLength = key.length >= webhookKeyBytes.min && key.length <= webhookKeyBytes.max;
  if (!hasKeyLength || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) {
    throw new TypeError("secret is malformed: copy all of it, from whsec_ to the end");
  }
  return key;
}
