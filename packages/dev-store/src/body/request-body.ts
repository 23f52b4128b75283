import type { BodyClaims } from "./body-claims.js";
import type { BodySink, ReceivedBody } from "./receive-body.js";

/** The body of a request that has been authenticated. Nothing of it is read before an operation asks. */
export interface RequestBody {
  /** @throws S3Error MissingContentLength, EntityTooLarge, InvalidDigest ... */
  claims(): BodyClaims;
  /** Tells a client that waits with `Expect: 100-continue` to go on, then receives the body. Once only. */
  receive(sink: BodySink): Promise<ReceivedBody>;
}
