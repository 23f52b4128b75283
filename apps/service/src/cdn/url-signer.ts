import { createHmac, createPrivateKey, sign as signBytes } from "node:crypto";
import { promisify } from "node:util";

/**
 * Signs a URL for a CDN, which refuses requests without a valid signature.
 *
 * @param url with its query, which the signature covers
 * @param expiresAt in whole seconds
 */
export type SignCdnUrl = (url: string, expiresAt: Date) => Promise<string>;

/**
 * Signs as Bunny's token authentication with HMAC-SHA256 checks it:
 * https://docs.bunny.net/cdn/security/token-authentication/advanced
 *
 * @param key the URL token authentication key of the pull zone
 */
export function bunnyUrlSigner(key: string): SignCdnUrl {
  return async (url, expiresAt) => {
    const { origin, pathname, searchParams } = new URL(url);
    const parameters = [...searchParams].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const expires = secondsOf(expiresAt);
    // Without escapes here, and with them in the URL.
    const signed = parameters.map(([name, value]) => `${name}=${value}`).join("&");
    const token = createHmac("sha256", key).update(`${pathname}${expires}${signed}`).digest("base64url");
    const query = parameters.map(([name, value]) => `&${name}=${encodeURIComponent(value)}`).join("");
    return `${origin}${pathname}?token=HS256-${token}${query}&expires=${expires}`;
  };
}

/** In a thread of Node: a signature of RSA takes a millisecond. */
const signInThread = promisify(signBytes);

/**
 * Signs with a canned policy of CloudFront:
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-creating-signed-url-canned-policy.html
 *
 * @param options.privateKey in PEM, of the public key with the id `keyPairId`
 * @throws {Error} if it is no private key
 */
export function cloudFrontUrlSigner({
  keyPairId,
  privateKey,
}: {
  keyPairId: string;
  privateKey: string;
}): SignCdnUrl {
  const key = createPrivateKey(privateKey);
  return async (url, expiresAt) => {
    const expires = secondsOf(expiresAt);
    // CloudFront writes the same text, so nothing may be added, not even a space.
    const policy = `{"Statement":[{"Resource":"${url}","Condition":{"DateLessThan":{"AWS:EpochTime":${expires}}}}]}`;
    const signature = await signInThread("RSA-SHA1", Buffer.from(policy), key);
    const text = signature
      .toString("base64")
      .replace(/[+=/]/g, (character) => IN_URL[character] ?? character);
    return `${url}${url.includes("?") ? "&" : "?"}Expires=${expires}&Key-Pair-Id=${keyPairId}&Signature=${text}`;
  };
}

const IN_URL: Record<string, string> = { "+": "-", "=": "_", "/": "~" };

const secondsOf = (date: Date) => Math.floor(date.getTime() / 1000);
