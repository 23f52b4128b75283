import { createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import type { RequestParts } from "../http-request.js";
import { oddText } from "../odd-values.js";

interface StoreOptions {
  accessKeyId: string;
  secretAccessKey: string;
  bucket: string;
  /** `host:port` */
  host: string;
  /** Keys of objects that exist. */
  keys: string[];
}

const xml = fc.oneof(
  fc.constantFrom(
    "<Delete><Object><Key>a</Key></Object></Delete>",
    "<Delete><Quiet>true</Quiet><Object><Key>\u00e9</Key><ETag>x</ETag></Object></Delete>",
    "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>x</ETag></Part></CompleteMultipartUpload>",
    "<CORSConfiguration><CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod></CORSRule></CORSConfiguration>",
    "<PublicAccessBlockConfiguration><BlockPublicAcls>true</BlockPublicAcls></PublicAccessBlockConfiguration>",
    "<CreateBucketConfiguration><LocationConstraint>x</LocationConstraint></CreateBucketConfiguration>",
    "<Delete><Object><Key>&#0;</Key></Object></Delete>",
    '<!DOCTYPE a [<!ENTITY b "c">]><Delete/>',
    "<a>".repeat(10_000),
    "<Delete>",
    "<Delete><Object/></Delete>",
    `<Delete>${"<Object><Key>k</Key></Object>".repeat(1001)}</Delete>`,
  ),
  oddText.map((text) => `<Delete><Object><Key>${text}</Key></Object></Delete>`),
);

/** S3 requests with a valid signature of their method, path and query, and the same without one. */
export function storeRequests(options: StoreOptions): fc.Arbitrary<RequestParts> {
  const key = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom("", ...options.keys) },
    { weight: 1, arbitrary: oddText.filter((text) => text.isWellFormed()) },
  );
  const names = [
    "list-type",
    "uploads",
    "uploadId",
    "partNumber",
    "delete",
    "cors",
    "publicAccessBlock",
    "prefix",
    "delimiter",
    "max-keys",
    "continuation-token",
    "start-after",
    "encoding-type",
    "fetch-owner",
    "marker",
    "location",
    "acl",
    "response-content-type",
    "response-content-disposition",
    "versionId",
    "part-number-marker",
    "key-marker",
    "upload-id-marker",
    "max-uploads",
    "max-parts",
    "max-buckets",
    "bucket-region",
    "x-amz-copy-source",
    "x-amz-acl",
  ];
  const value = fc.oneof(
    fc.constantFrom(
      "",
      "0",
      "1",
      "2",
      "-1",
      "10001",
      "url",
      "/",
      "x",
      "1e3",
      `/${options.bucket}/${options.keys[0]}`,
    ),
    oddText.filter((text) => text.isWellFormed()),
  );
  const query = fc
    .array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 3 })
    .map((pairs) => Object.fromEntries(pairs));
  return fc
    .record({
      method: fc.constantFrom("GET", "HEAD", "PUT", "POST", "DELETE"),
      bucket: fc.oneof(
        { weight: 9, arbitrary: fc.constant(options.bucket) },
        { weight: 1, arbitrary: fc.constantFrom("", "..", "UPPER", "a", "new-bucket") },
      ),
      key,
      query,
      body: fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 3, arbitrary: xml }),
      isSigned: fc.oneof(
        { weight: 9, arbitrary: fc.constant(true) },
        { weight: 1, arbitrary: fc.constant(false) },
      ),
    })
    .map((parts): RequestParts => {
      const path = `/${parts.bucket}${parts.key === "" ? "" : `/${encodePath(parts.key)}`}`;
      const sent = parts.body === undefined ? undefined : Buffer.from(parts.body);
      const digest: RequestParts["headers"] = sent
        ? [["Content-MD5", createHash("md5").update(sent).digest("base64")]]
        : [];
      return {
        method: parts.method,
        path,
        query: parts.isSigned ? signQuery(options, { ...parts, path }) : parts.query,
        headers: [["Host", options.host], ...digest],
        ...(sent ? { bytes: sent } : {}),
      };
    });
}

/** AWS Signature Version 4 in the query: https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html */
function signQuery(
  { accessKeyId, secretAccessKey, host }: StoreOptions,
  { method, path, query }: { method: string; path: string; query: Record<string, string> },
): Record<string, string> {
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
  const day = time.slice(0, 8);
  const scope = `${day}/us-east-1/s3/aws4_request`;
  const signed: Record<string, string> = {
    ...query,
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Credential": `${accessKeyId}/${scope}`,
    "X-Amz-Date": time,
    "X-Amz-Expires": "3600",
    "X-Amz-SignedHeaders": "host",
  };
  const canonicalQuery = Object.entries(signed)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join("&");
  const canonical = `${method}\n${path}\n${canonicalQuery}\nhost:${host}\n\nhost\nUNSIGNED-PAYLOAD`;
  const hash = createHash("sha256").update(canonical).digest("hex");
  let key: Buffer = Buffer.from(`AWS4${secretAccessKey}`);
  for (const part of [
    day,
    "us-east-1",
    "s3",
    "aws4_request",
    `AWS4-HMAC-SHA256\n${time}\n${scope}\n${hash}`,
  ]) {
    key = createHmac("sha256", key).update(part).digest();
  }
  return { ...signed, "X-Amz-Signature": key.toString("hex") };
}

const encode = (text: string) =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
const encodePath = (text: string) => encode(text).replaceAll("%2F", "/");
