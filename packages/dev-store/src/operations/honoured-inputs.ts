import { CHECKSUM_ALGORITHMS } from "../body/checksums.js";
import { S3Error } from "../errors.js";
import { amzValues, type S3Request } from "../http/s3-request.js";
import { ENCRYPTION_HEADERS } from "./demands.js";

const CHECKSUMS = CHECKSUM_ALGORITHMS.map((algorithm) => `x-amz-checksum-${algorithm}`);
const BODY = ["x-amz-decoded-content-length", "x-amz-trailer", "x-amz-sdk-checksum-algorithm", ...CHECKSUMS];
const STORED = ["x-amz-meta-*", "x-amz-acl", "x-amz-storage-class", ...ENCRYPTION_HEADERS];
const WRITE_CONDITIONS = ["if-match", "if-none-match"];
const READ_CONDITIONS = [...WRITE_CONDITIONS, "if-modified-since", "if-unmodified-since"];
const READ = [...READ_CONDITIONS, "range", "if-range", "x-amz-checksum-mode"];
const OVERRIDES = [
  "response-cache-control",
  "response-content-disposition",
  "response-content-encoding",
  "response-content-language",
  "response-content-type",
  "response-expires",
];
const SOURCE = ["x-amz-copy-source", ...READ_CONDITIONS.map((name) => `x-amz-copy-source-${name}`)];
const LISTING = ["prefix", "delimiter", "encoding-type"];

/**
 * The inputs that each operation honours: `x-amz-*` values, conditional headers and query parameters. A subresource such as
 * `cors` is part of the operation's name instead. `HONOURED_EVERYWHERE` comes on top.
 */
const HONOURED_INPUTS = {
  "GET service": ["prefix", "max-buckets", "continuation-token", "bucket-region"],

  "PUT bucket": [...BODY, "x-amz-acl", "x-amz-object-ownership", "x-amz-bucket-object-lock-enabled"],
  "HEAD bucket": [],
  "DELETE bucket": [],
  "GET bucket": [...LISTING, "max-keys", "marker"],
  "GET bucket list-type": [...LISTING, "max-keys", "continuation-token", "start-after", "fetch-owner"],
  "GET bucket location": [],
  "POST bucket delete": BODY,
  "GET bucket uploads": [...LISTING, "max-uploads", "key-marker", "upload-id-marker"],
  "PUT bucket cors": BODY,
  "GET bucket cors": [],
  "DELETE bucket cors": [],
  "PUT bucket publicAccessBlock": BODY,
  "GET bucket publicAccessBlock": [],
  "DELETE bucket publicAccessBlock": [],

  "PUT object": [...BODY, ...STORED, ...WRITE_CONDITIONS],
  "PUT object copy": [
    ...STORED,
    ...WRITE_CONDITIONS,
    ...SOURCE,
    "x-amz-metadata-directive",
    "x-amz-tagging-directive",
    "x-amz-checksum-algorithm",
  ],
  "GET object": [...READ, ...OVERRIDES],
  "HEAD object": [...READ, ...OVERRIDES],
  "DELETE object": ["if-match"],
  "GET object tagging": [],
  // As S3, it ignores the directive: there is nothing to copy. s3fs sends it when it renames a large file.
  "POST object uploads": [
    ...STORED,
    "x-amz-metadata-directive",
    "x-amz-checksum-algorithm",
    "x-amz-checksum-type",
  ],
  "PUT object uploadId": [...BODY, "partNumber"],
  "PUT object uploadId copy": [...SOURCE, "x-amz-copy-source-range", "partNumber"],
  "POST object uploadId": [...CHECKSUMS, ...WRITE_CONDITIONS, "x-amz-checksum-type", "x-amz-mp-object-size"],
  "GET object uploadId": ["max-parts", "part-number-marker"],
  "DELETE object uploadId": [],
} as const satisfies Record<string, readonly string[]>;

export type OperationName = keyof typeof HONOURED_INPUTS;

/** The parts of a signature, and values that change nothing in a store without accounts that pay. */
const HONOURED_EVERYWHERE = new Set([
  "x-amz-algorithm",
  "x-amz-credential",
  "x-amz-date",
  "x-amz-expires",
  "x-amz-security-token",
  "x-amz-signedheaders",
  "x-amz-signature",
  "x-amz-content-sha256",
  "x-amz-user-agent",
  "x-amz-request-payer",
]);

/**
 * Conditions without `x-amz-` that a write must check or refuse. A read may ignore conditions and ranges, because a complete
 * answer is still true (RFC 9110 section 14.2).
 */
const WRITE_HEADERS = [
  "if-match",
  "if-none-match",
  "if-modified-since",
  "if-unmodified-since",
  "content-range",
];

/** Inputs with a value that asks for exactly what this store does. Their other values are refused. */
const ONLY_VALUE: Readonly<Record<string, string>> = {
  "x-amz-request-payer": "requester",
  "x-amz-bucket-object-lock-enabled": "false",
  "x-amz-object-ownership": "BucketOwnerEnforced",
  "x-amz-tagging-directive": "COPY",
};

/**
 * Refuses a request that asks for something that this store would ignore. A client that asks for encryption, for a lock or
 * for a condition must not believe that it has got it.
 *
 * @throws S3Error NotImplemented; InvalidArgument for two values, because the operation would ignore one of them
 */
export function refuseUnhonoured(request: S3Request, operation: OperationName): void {
  const [_method, _kind, ...subresources] = operation.split(" ");
  const honoured: readonly string[] = [...HONOURED_INPUTS[operation], ...subresources];
  const isHonoured = (name: string): boolean =>
    honoured.includes(name.startsWith("x-amz-meta-") ? "x-amz-meta-*" : name) ||
    HONOURED_EVERYWHERE.has(name);

  const values = amzValues(request);
  for (const [name, value] of values) {
    const only = ONLY_VALUE[name];
    if (!isHonoured(name)) throw notHonoured(name);
    if (only && only.toLowerCase() !== value.toLowerCase())
      throw new S3Error("NotImplemented", `This store implements only ${name}: ${only}.`);
  }
  for (const [name, value] of [...request.query, ...request.headers]) {
    const lower = name.toLowerCase();
    if (values.has(lower) && values.get(lower) !== value && !HONOURED_EVERYWHERE.has(lower))
      throw new S3Error("InvalidArgument", `The request has two values of ${lower}.`);
  }
  if (request.method !== "GET" && request.method !== "HEAD")
    for (const name of WRITE_HEADERS)
      if (request.headers.has(name) && !isHonoured(name)) throw notHonoured(name);
  for (const name of request.query.keys())
    // S3 ignores parameters that begin with "x-". The official SDK sends x-id.
    if (!/^x-/i.test(name) && !isHonoured(name)) throw notHonoured(name);
}

function notHonoured(name: string): S3Error {
  return new S3Error("NotImplemented", `This store does not implement ${name} for this operation.`);
}
