/** Why a webhook is refused. Programs compare codes, because texts can change. */
export type WebhookErrorCode =
  /** A header is missing or malformed. */
  | "invalid_header"
  /** The webhook was signed too long ago: it may be a recorded one. Or the receiver's clock is wrong. */
  | "timestamp_too_old"
  /** The webhook is from the future: the receiver's clock is wrong. */
  | "timestamp_too_new"
  /** No signature matches: another secret, or the body is not exactly what was sent. */
  | "signature_mismatch"
  /** The body is larger than 256 KiB. */
  | "body_too_large"
  /** The connection ended before the whole body arrived. */
  | "body_incomplete"
  /** The signature is right, but the body is not an event. */
  | "invalid_body";

/** A webhook that fails verification. Answer it with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
