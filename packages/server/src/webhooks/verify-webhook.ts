import { StowageError, type WebhookHeaders } from "@stowage/schemas";
import { readBody } from "../http/read-body.js";
import { readEvent, type WebhookEvent } from "./webhook-event.js";
import { readSecrets, type WebhookSecrets } from "./webhook-secrets.js";
import { WebhookVerificationError } from "./webhook-verification-error.js";

/** A webhook whose body was read already. Node's and Express' requests fit, if `body` holds the exact bytes. */
export interface RawWebhook {
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body exactly as it was sent. JSON that was parsed and written again can differ. */
  body: string | Uint8Array | ArrayBuffer;
}

/** How a webhook is checked. */
export interface VerifyWebhookOptions {
  /** By how many seconds the webhook's timestamp may differ from this machine's clock. @default 300 */
  toleranceSeconds?: number | undefined;
  /** @default the current time */
  now?: Date | undefined;
}

const DEFAULT_TOLERANCE_SECONDS = 300;
/** An event has at most some 10 kB. The limit bounds what an attacker can make the receiver read. */
const MAX_BODY_BYTES = 256 * 1024;
/** The service sends one signature, and two while a secret is being rotated. */
const MAX_SIGNATURES = 10;

/**
 * Checks that a webhook comes from the service, is recent and was not changed, and returns its event. It follows Standard Webhooks
 * 1.0.
 *
 * @param webhook a Web request whose body was not read yet, or headers and the exact body
 * @param secrets the endpoint's signing secret. With several ones, any of them may match
 * @throws {WebhookVerificationError} for a webhook that fails verification: answer 400
 * @throws {TypeError} for a missing or malformed secret, and for a body that is not the original one
 * @example
 * const event = await verifyWebhook(request, process.env.STOWAGE_WEBHOOK_SECRET);
 * if (event.type === "file.stored") console.log(event.data.filePath);
 */
export async function verifyWebhook(
  webhook: Request | RawWebhook,
  secrets: WebhookSecrets,
  { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, now = new Date() }: VerifyWebhookOptions = {},
): Promise<WebhookEvent> {
  const keys = readSecrets(secrets);
  const headers = readHeaders(webhook.headers);
  refuseOtherTimes(headers["webhook-timestamp"], now, toleranceSeconds);
  const body = await readRawBody(webhook);
  await refuseOtherSignatures(headers, body, keys);
  return readEvent(headers["webhook-id"], body);
}

function readHeaders(headers: RawWebhook["headers"]): WebhookHeaders {
  return {
    "webhook-id": headerOf(headers, "webhook-id"),
    "webhook-timestamp": headerOf(headers, "webhook-timestamp"),
    "webhook-signature": headerOf(headers, "webhook-signature"),
  };
}

function headerOf(headers: RawWebhook["headers"], name: keyof WebhookHeaders): string {
  const value =
    typeof headers.get === "function"
      ? (headers as Headers).get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value === "string" && value !== "") return value;
  throw new WebhookVerificationError("invalid_header", `The header ${name} is missing`);
}

function refuseOtherTimes(timestamp: string, now: Date, toleranceSeconds: number): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookVerificationError("invalid_header", "The header webhook-timestamp is not a number");
  }
  const ageSeconds = Math.floor(now.getTime() / 1000) - Number(timestamp);
  if (ageSeconds > toleranceSeconds) {
    throw new WebhookVerificationError("timestamp_too_old", `The webhook was signed ${ageSeconds} s ago`);
  }
  if (-ageSeconds > toleranceSeconds) {
    throw new WebhookVerificationError(
      "timestamp_too_new",
      `The webhook was signed ${-ageSeconds} s ahead of this machine's clock`,
    );
  }
}

async function readRawBody(webhook: Request | RawWebhook): Promise<Uint8Array<ArrayBuffer>> {
  const body: unknown = webhook.body;
  if (typeof body === "string" || body instanceof Uint8Array || body instanceof ArrayBuffer) {
    // `Buffer.from` of a string encodes UTF-8. The copy makes a plain array, which Web Crypto takes.
    const bytes = new Uint8Array(typeof body === "string" ? Buffer.from(body) : body);
    if (bytes.length <= MAX_BODY_BYTES) return bytes;
    throw new WebhookVerificationError("body_too_large", `The body is larger than ${MAX_BODY_BYTES} bytes`);
  }
  if (!("bodyUsed" in webhook)) {
    throw new TypeError("The body must be the text or the bytes that were sent, not parsed JSON");
  }
  if (webhook.bodyUsed) {
    throw new TypeError("The request's body was read before: pass its headers and its exact text instead");
  }
  return readRequestBody(webhook);
}

async function readRequestBody(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await readBody(request, MAX_BODY_BYTES));
  } catch (thrown) {
    if (!(thrown instanceof StowageError)) throw thrown;
    const code = thrown.code === "body_too_large" ? "body_too_large" : "body_incomplete";
    throw new WebhookVerificationError(code, thrown.message, { cause: thrown });
  }
}

async function refuseOtherSignatures(
  headers: WebhookHeaders,
  body: Uint8Array,
  keys: Uint8Array[],
): Promise<void> {
  const signed = new Uint8Array(
    Buffer.concat([Buffer.from(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`), body]),
  );
  const signatures = readSignatures(headers["webhook-signature"]);
  for (const key of keys) {
    const hmac = { name: "HMAC", hash: "SHA-256" };
    const imported = await crypto.subtle.importKey("raw", new Uint8Array(key), hmac, false, ["verify"]);
    for (const signature of signatures) {
      // Web Crypto compares in constant time.
      if (await crypto.subtle.verify("HMAC", imported, signature, signed)) return;
    }
  }
  throw new WebhookVerificationError(
    "signature_mismatch",
    "No signature matches: the secret is another one, or the body is not exactly what was sent",
  );
}

/** Ignores other versions, such as `v1a`, which are for public keys. */
function readSignatures(header: string): Uint8Array<ArrayBuffer>[] {
  return header
    .split(" ", MAX_SIGNATURES)
    .filter((signature) => signature.startsWith("v1,"))
    .map((signature) => new Uint8Array(Buffer.from(signature.slice("v1,".length), "base64")));
}
