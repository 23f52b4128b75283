import { S3Error, type S3ErrorCode } from "../errors.js";
import type { CredentialScope } from "./signing-key.js";

/** The most that a signer's clock may differ: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
export const MAX_CLOCK_SKEW_MS = 15 * 60_000;

/** The signature parameters of a request: well-formed, but not verified. */
export interface SignatureClaim {
  readonly accessKeyId: string;
  readonly scope: CredentialScope;
  /** `YYYYMMDDTHHMMSSZ`, as in the string to sign. */
  readonly amzDate: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  /** Hex SHA-256 of the body, `UNSIGNED-PAYLOAD` or a `STREAMING-*` value. */
  readonly payloadHash: string;
}

/** Parses `AKID/20260102/us-east-1/s3/aws4_request` and checks region and service. */
export function readCredential(
  credential: string,
  region: string,
  code: S3ErrorCode,
): Pick<SignatureClaim, "accessKeyId" | "scope"> {
  const [accessKeyId, date, inRegion, service, end, ...more] = credential.split("/");
  if (!accessKeyId || !date || !/^\d{8}$/.test(date) || end !== "aws4_request" || more.length > 0)
    throw new S3Error(code, "The credential must be <access key>/<yyyymmdd>/<region>/s3/aws4_request.");
  if (inRegion !== region) throw wrongRegion(region, code);
  if (service !== "s3") throw new S3Error(code, "The service of the credential must be 's3'.");
  return { accessKeyId, scope: { date, region, service } };
}

/** Names the right region. Clients that know no region, such as s3cmd, read it and sign again. */
function wrongRegion(region: string, code: S3ErrorCode): S3Error {
  const message = `The region of the credential must be '${region}'.`;
  return new S3Error(code, message, { "x-amz-bucket-region": region }, { Region: region });
}

/** Parses `content-type;host`: lower case, ascending, with host. */
export function readSignedHeaders(text: string, code: S3ErrorCode): readonly string[] {
  const names = text.split(";");
  const wellFormed = names.every(
    (name, i) => /^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name) && (i === 0 || names[i - 1]! < name),
  );
  if (!wellFormed) throw new S3Error(code, "The signed headers must be lower case, ascending and unique.");
  if (!names.includes("host")) throw new S3Error(code, "The host header must be signed.");
  return names;
}

/** Checks that a signature has 64 hex digits. */
export function readSignature(text: string, code: S3ErrorCode): string {
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new S3Error(code, "The signature must be 64 lower-case hex digits.");
  return text;
}

/** Parses `YYYYMMDDTHHMMSSZ` to epoch milliseconds. The day must be the scope's. */
export function readAmzDate(text: string, scope: CredentialScope, code: S3ErrorCode): number {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text);
  const time = parts
    ? Date.parse(`${parts[1]}-${parts[2]}-${parts[3]}T${parts[4]}:${parts[5]}:${parts[6]}Z`)
    : Number.NaN;
  if (Number.isNaN(time)) throw new S3Error(code, "The signing date must be YYYYMMDDTHHMMSSZ.");
  if (!text.startsWith(scope.date))
    throw new S3Error(code, "The signing date is not of the day in the credential.");
  return time;
}
