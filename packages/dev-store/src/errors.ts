/**
 * Every error that this endpoint can answer: the code, the HTTP status and the default message. Codes and statuses are AWS's:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
 */
const CATALOGUE = {
  AccessControlListNotSupported: [400, "This store has no ACLs."],
  AccessDenied: [403, "Access Denied"],
  AccessForbidden: [403, "CORSResponse: This CORS request is not allowed."],
  AuthorizationHeaderMalformed: [400, "The authorization header is malformed."],
  AuthorizationQueryParametersError: [400, "The X-Amz-* query parameters of the signature are malformed."],
  BadDigest: [400, "The digest or checksum you specified did not match what was received."],
  BucketAlreadyOwnedByYou: [409, "The bucket exists and is yours."],
  BucketNotEmpty: [409, "The bucket you tried to delete is not empty"],
  EntityTooLarge: [400, "Your proposed upload exceeds the maximum allowed object size."],
  EntityTooSmall: [400, "Every part but the last must be at least 5 MiB."],
  ExpiredToken: [400, "The provided token has expired."],
  IllegalLocationConstraintException: [400, "The location constraint is not this store's region."],
  IncompleteBody: [400, "The body is not as long as its headers say."],
  InternalError: [500, "We encountered an internal error. Please try again."],
  InvalidAccessKeyId: [403, "The AWS access key ID you provided does not exist in our records."],
  InvalidArgument: [400, "Invalid Argument"],
  InvalidBucketAclWithObjectOwnership: [400, "This store has no ACLs. A bucket's owner owns every object."],
  InvalidBucketName: [400, "The specified bucket is not valid."],
  InvalidDigest: [400, "The Content-MD5 or checksum value you specified is not valid."],
  InvalidPart: [400, "One or more of the specified parts could not be found or its ETag did not match."],
  InvalidPartOrder: [400, "The list of parts was not in ascending order."],
  InvalidRange: [416, "The requested range is not satisfiable"],
  InvalidRequest: [400, "Invalid Request"],
  InvalidStorageClass: [400, "The storage class you specified is not valid."],
  InvalidToken: [400, "The provided token is malformed or otherwise not valid."],
  InvalidURI: [400, "Couldn't parse the specified URI."],
  KeyTooLongError: [400, "Your key is too long: 1,024 bytes of UTF-8 is the limit."],
  MalformedXML: [400, "The XML you provided was not well-formed or did not validate."],
  MaxMessageLengthExceeded: [400, "Your request was too big."],
  MetadataTooLarge: [400, "Your metadata headers exceed the maximum allowed metadata size of 2 KB."],
  MethodNotAllowed: [405, "The specified method is not allowed against this resource."],
  MissingContentLength: [411, "You must provide the Content-Length HTTP header."],
  NoSuchBucket: [404, "The specified bucket does not exist"],
  NoSuchCORSConfiguration: [404, "The CORS configuration does not exist"],
  NoSuchKey: [404, "The specified key does not exist."],
  NoSuchPublicAccessBlockConfiguration: [404, "The public access block configuration was not found"],
  NoSuchUpload: [404, "The specified upload does not exist: it may have been aborted or completed."],
  NotImplemented: [501, "This store does not implement what the request asks for."],
  PreconditionFailed: [412, "At least one of the pre-conditions you specified did not hold"],
  RequestHeaderSectionTooLarge: [400, "Your request header section exceeds the maximum allowed size."],
  RequestTimeTooSkewed: [403, "The difference between the request time and the server's time is too large."],
  RequestTimeout: [400, "The request was not received in time."],
  SecondLevelDomainForbidden: [403, "Please use virtual hosted style to access."],
  SignatureDoesNotMatch: [
    403,
    "The request signature we calculated does not match the signature you provided. Check your key and signing method.",
  ],
  UnexpectedContent: [400, "This request does not support content."],
  XAmzContentSHA256Mismatch: [
    400,
    "The provided 'x-amz-content-sha256' header does not match what was computed.",
  ],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type S3ErrorCode = keyof typeof CATALOGUE;

/** An error that is sent to the client. Any other exception is answered as InternalError. */
export class S3Error extends Error {
  readonly code: S3ErrorCode;
  readonly status: number;
  /** Extra headers of this answer, such as `Content-Range` of a 416. */
  readonly headers: Readonly<Record<string, string>>;
  /** Extra elements of this answer, such as `Region`. */
  readonly details: Readonly<Record<string, string>>;

  constructor(
    code: S3ErrorCode,
    message: string = CATALOGUE[code][1],
    headers: Record<string, string> = {},
    details: Record<string, string> = {},
  ) {
    super(message);
    this.name = "S3Error";
    this.code = code;
    this.status = CATALOGUE[code][0];
    this.headers = headers;
    this.details = details;
  }
}
