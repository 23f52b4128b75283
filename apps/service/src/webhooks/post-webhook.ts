import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { callbackify } from "node:util";
import { judgedAgents, type ProxyAddress, ProxyError } from "#lib/egress-proxy.js";
import { type AddressPolicy, isPublicAddress } from "./judge-address.js";
import { resolvePublic } from "./resolve-public.js";

export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The result of a request. */
export interface WebhookAnswer {
  /** Null if no answer arrived. */
  status: number | null;
  /** The header `Retry-After`. */
  retryAfter: string | undefined;
  /** The first 1,024 bytes of the answer; null if none arrived. */
  head: string | null;
  /** Why no answer arrived; null if one did. Contains no address and no header. */
  error: string | null;
}

/** Sends one webhook. Never throws: a missing answer is a result too. An aborted `signal` ends the request. */
export type PostWebhook = (request: WebhookRequest, signal?: AbortSignal) => Promise<WebhookAnswer>;

export interface PostWebhookOptions {
  addresses: AddressPolicy;
  /** All addresses of a name. @default {@link resolvePublic}, or the system's resolver if private addresses are allowed */
  resolve?: (hostname: string) => Promise<LookupAddress[]>;
  /** Makes the connections, to addresses that were judged here. @default none */
  proxy?: ProxyAddress | undefined;
  /** Certificate authorities beside those that Node.js trusts, in PEM. @default none */
  ca?: string;
  /** For the whole request, in milliseconds. @default 10,000 */
  timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 10_000;
/** More of an answer is not read: the connection is closed. */
const MAX_ANSWER_BYTES = 64 * 1024;
const LOGGED_BYTES = 1024;

/**
 * Creates the function that sends webhooks to addresses that customers chose, so it must not reach the operator's own network:
 *
 * - A name is resolved once for each request, every address is judged, and the connection goes to a judged address. So DNS cannot
 *   answer another address for the connection than for the judgement.
 * - Redirects are not followed, and connections are not reused.
 * - A proxy would resolve the name again, so it gets the judged address. HTTPS_PROXY is not used.
 * - The request ends after ten seconds, and after 64 KiB of the answer.
 */
export function createPostWebhook(options: PostWebhookOptions): PostWebhook {
  const {
    addresses,
    resolve = addresses.allowPrivate ? (hostname) => lookup(hostname, { all: true }) : resolvePublic,
    proxy,
    ca,
    timeoutMs = DEFAULT_TIMEOUT_MS,
  } = options;
  const isAllowed = addresses.isAllowed ?? ((address) => addresses.allowPrivate || isPublicAddress(address));
  const agents = judgedAgents(proxy ?? null);
  const judgedLookup = createJudgedLookup(resolve, isAllowed);
  return async ({ url: text, headers, body }, signal) => {
    const url = new URL(text);
    if (url.protocol !== "https:" && !addresses.allowPrivate) return noAnswer("the URL is not an https URL");
    // A connection to a literal address does not call `lookup`.
    const literal = url.hostname.replace(/^\[|\]$/g, "");
    if (isIP(literal) !== 0 && !isAllowed(literal)) return noAnswer(new ForbiddenAddressError().message);
    const bytes = Buffer.from(body);
    const request = (url.protocol === "https:" ? https : http).request(url, {
      method: "POST",
      headers: { ...headers, "content-length": bytes.length, connection: "close" },
      lookup: judgedLookup,
      agent: agents[url.protocol]!,
      ...(signal && { signal }),
      ...(ca !== undefined && { ca }),
    });
    return exchange(request, bytes, timeoutMs);
  };
}

/** The result of a request that got no answer, or that was not sent. */
export function noAnswer(error: string): WebhookAnswer {
  return { status: null, retryAfter: undefined, head: null, error };
}

class ForbiddenAddressError extends Error {
  override readonly message = "the address is not public";
}

/** Refuses a name if one of its addresses is not allowed. */
function createJudgedLookup(
  resolve: (hostname: string) => Promise<LookupAddress[]>,
  isAllowed: (address: string) => boolean,
): LookupFunction {
  const judge = callbackify(async (hostname: string) => {
    const found = await resolve(hostname);
    if (!found.every(({ address }) => isAllowed(address))) throw new ForbiddenAddressError();
    const [first] = found;
    if (!first) throw new Error("the host name has no address");
    return { found, first };
  });
  return (hostname, { all }, callback) => {
    judge(hostname, (error, judged) => {
      if (error) callback(error, "", 0);
      else if (all) callback(null, judged.found);
      else callback(null, judged.first.address, judged.first.family);
    });
  };
}

function exchange(request: http.ClientRequest, body: Buffer, timeoutMs: number): Promise<WebhookAnswer> {
  return new Promise((resolve) => {
    let response: IncomingMessage | undefined;
    const chunks: Buffer[] = [];
    let readBytes = 0;
    const end = (error: string | null) => {
      clearTimeout(timer);
      resolve({
        status: response?.statusCode ?? null,
        retryAfter: response?.headers["retry-after"],
        head: response ? toText(Buffer.concat(chunks).subarray(0, LOGGED_BYTES)) : null,
        error: response ? null : error,
      });
      request.destroy();
    };
    const timer = setTimeout(() => end(`no answer within ${timeoutMs / 1000} seconds`), timeoutMs);
    request.on("error", (error) => end(describe(error)));
    request.on("close", () => end("the connection was closed"));
    request.on("response", (incoming) => {
      response = incoming;
      incoming.on("data", (chunk: Buffer) => {
        readBytes += chunk.length;
        if (readBytes <= MAX_ANSWER_BYTES) chunks.push(chunk);
        else end(null);
      });
      incoming.on("end", () => end(null));
      incoming.on("error", () => end(null));
    });
    request.end(body);
  });
}

/** PostgreSQL refuses a text with NUL. */
function toText(bytes: Buffer): string {
  return bytes.toString("utf8").replaceAll("\0", "\uFFFD").toWellFormed();
}

const CAUSES: Record<string, string> = {
  ENOTFOUND: "the host name was not found",
  EAI_AGAIN: "the name server did not answer",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was closed",
  EPIPE: "the connection was closed",
  ETIMEDOUT: "the connection timed out",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate is not signed by a trusted authority",
  SELF_SIGNED_CERT_IN_CHAIN: "the certificate is not signed by a trusted authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the certificate is not signed by a trusted authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the certificate is not signed by a trusted authority",
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate is for another host name",
  CERT_HAS_EXPIRED: "the certificate has expired",
};

/** The message of Node.js would contain the address. */
function describe(error: Error): string {
  if (error instanceof ForbiddenAddressError || error instanceof ProxyError) return error.message;
  const { code = "" } = error as NodeJS.ErrnoException;
  return (
    CAUSES[code] ??
    (code.startsWith("HPE_") ? "the answer is not HTTP" : `the request failed (${code || "unknown"})`)
  );
}
