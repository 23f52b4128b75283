import type { BodyClaims } from "./body-claims.js";
import type { BodySink, ReceivedBody } from "./receive-body.js";

/** The body of an authenticated request. Nothing is read before an operation calls `receive`. */
export interface RequestBody {
  /** @throws S3Error MissingContentLength, EntityTooLarge, InvalidDigest ... */
  claims(): BodyClaims;
  /** Answers `Expect: 100-continue`, then receives the body. Call it once. */
  receive(sink: BodySink): Promise<ReceivedBody>;
}
