import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { readBodyClaims } from "../body/body-claims.js";
import { receiveBody } from "../body/receive-body.js";
import type { RequestBody } from "../body/request-body.js";
import { DEFAULT_CORS } from "../cors/cors-rule.js";
import { corsHeaders, readCorsRequest } from "../cors/match-cors.js";
import { S3Error } from "../errors.js";
import { findOperation } from "../operations.js";
import { type Authentication, authenticate, type Credentials } from "../sigv4/authenticate.js";
import type { BucketDemands } from "../operations/operation.js";
import type { Storage } from "../storage/storage.js";
import { errorReply } from "./error-reply.js";
import { isPublicRead, readPublicObject } from "./public-read.js";
import type { Reply } from "./reply.js";
import { readS3Request, type S3Request } from "./s3-request.js";
import { sendReply } from "./send-reply.js";

export interface HandlerDeps {
  readonly storage: Storage;
  readonly credentials: Credentials;
  /** Their objects can be read without a signature. */
  readonly publicBuckets: ReadonlySet<string>;
  /** By the name of the bucket. */
  readonly demands: ReadonlyMap<string, BucketDemands>;
  /** Whether the path may name the bucket. */
  readonly takesPaths: boolean;
  readonly now: () => Date;
  readonly onError: (error: unknown) => void;
}

/** Handles one request from its headers to its answer. Never rejects. */
export async function handle(
  deps: HandlerDeps,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const requestId = randomBytes(8).toString("hex").toUpperCase();
  response.setHeader("x-amz-request-id", requestId);
  response.setHeader("Server", "stowage-dev-store");
  try {
    const reply = await answer(deps, message, response).catch((error: unknown) => {
      if (isClientGone(message, error)) throw error;
      if (!(error instanceof S3Error)) deps.onError(error);
      return errorReply(error instanceof S3Error ? error : new S3Error("InternalError"), requestId);
    });
    await sendReply(message, response, reply);
  } catch (error) {
    // The answer cannot be completed: the client has disconnected, or reading the object failed in the middle.
    if (!isClientGone(message, error)) deps.onError(error);
    response.destroy();
  }
}

async function answer(deps: HandlerDeps, message: IncomingMessage, response: ServerResponse): Promise<Reply> {
  const request = readS3Request(message);
  const cors = corsFor(deps.storage, request);
  // Set first, so that errors carry these headers too.
  for (const [name, value] of Object.entries(cors ?? {})) response.setHeader(name, value);
  if (request.method === "OPTIONS") {
    if (!cors) throw new S3Error("AccessForbidden");
    return { status: 200 };
  }
  if (!deps.takesPaths && request.bucket !== undefined && !request.isVirtual)
    throw new S3Error("SecondLevelDomainForbidden");
  const { storage, credentials, demands, now } = deps;
  const context = { request, storage, region: credentials.region, demands, now };
  if (isPublicRead(request, deps.publicBuckets)) return await readPublicObject(context);
  const authentication = authenticate(request, credentials, now());
  const body = bodyOf(message, response, { request, authentication });
  return await findOperation(request)({ ...context, body });
}

function corsFor({ bucket }: Storage, request: S3Request): Record<string, string> | undefined {
  const corsRequest = readCorsRequest(request.method, request.headers);
  if (!corsRequest) return undefined;
  const rules = request.bucket === undefined ? undefined : bucket(request.bucket)?.settings.cors;
  return corsHeaders(rules ?? DEFAULT_CORS, corsRequest);
}

function bodyOf(
  message: IncomingMessage,
  response: ServerResponse,
  { request, authentication }: { request: S3Request; authentication: Authentication },
): RequestBody {
  const claims = () => readBodyClaims(request, authentication.claim.payloadHash);
  return {
    claims,
    async receive(sink) {
      const declared = claims();
      if (request.headers.has("expect")) response.writeContinue();
      // A refusal in the middle of the body still has to be sent over the socket, so the iterator must not destroy it.
      const source = message.iterator({ destroyOnReturn: false });
      return await receiveBody({ source, authentication }, declared, sink);
    },
  };
}

function isClientGone(message: IncomingMessage, error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return (
    message.socket.destroyed &&
    (message.errored === error ||
      code === "ERR_STREAM_PREMATURE_CLOSE" ||
      code === "EPIPE" ||
      code === "ECONNRESET")
  );
}
