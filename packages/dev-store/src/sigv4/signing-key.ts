import { createHmac } from "node:crypto";

/** The scope of a signing key: `date/region/service/aws4_request`. */
export interface CredentialScope {
  /** `YYYYMMDD` */
  readonly date: string;
  readonly region: string;
  readonly service: string;
}

/** Derives the key of one scope: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html */
export function signingKey(secretAccessKey: string, scope: CredentialScope): Buffer {
  const date = hmac(`AWS4${secretAccessKey}`, scope.date);
  return hmac(hmac(hmac(date, scope.region), scope.service), "aws4_request");
}

export function scopeText({ date, region, service }: CredentialScope): string {
  return `${date}/${region}/${service}/aws4_request`;
}

export function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
