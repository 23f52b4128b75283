import { createHmac } from "node:crypto";

/**
 * Keys that sign for one day each, derived from the secret (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html).
 * The last one is kept: nearly every URL is signed on the same day as the one before.
 *
 * @returns the key of a day, which is given as `YYYYMMDD`
 */
export function createSigningKeys(options: {
  secretAccessKey: string;
  region: string;
}): (day: string) => Buffer {
  let kept: { day: string; key: Buffer } | undefined;
  return (day) => {
    if (kept?.day !== day) {
      const ofDay = hmac(`AWS4${options.secretAccessKey}`, day);
      kept = { day, key: hmac(hmac(hmac(ofDay, options.region), "s3"), "aws4_request") };
    }
    return kept.key;
  };
}

export function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
