import {
  browserCancelRequest,
  browserCompleteRequest,
  browserDeleteRequest,
  browserUploadRequest,
  parse,
  StowageError,
} from "@stowage/schemas";
import type { Config } from "../config.js";
import type { Core } from "../core/core.js";
import { identifyCaller, type Caller } from "../core/identify-caller.js";
import { operatorError, reportError, toStowageError } from "../errors.js";
import { addCorsHeaders, isPreflight, preflightResponse } from "./cors.js";
import { readJsonBody } from "./json-body.js";
import { errorResponse, jsonResponse } from "./json-response.js";
import { refuseCrossSite } from "./origin.js";

/** Takes a Web request and returns a Web response. Never rejects. */
export type Handler = (request: Request) => Promise<Response>;

type HandlerConfig = Pick<Config, "allowedOrigins" | "onError" | "tenant" | "timeoutMs">;

export function createHandler(config: HandlerConfig, core: Core): Handler {
  return async (request) => {
    const response = await respond(config, core, request).catch((thrown: unknown) => {
      const error = toStowageError(thrown);
      reportError(config.onError, error, request);
      return errorResponse(error);
    });
    return addCorsHeaders(config.allowedOrigins, request, response);
  };
}

type Action = (core: Core, caller: Caller, body: unknown) => Promise<object>;

const postActions = new Map<string, Action>([
  ["request", (core, caller, body) => core.requestUpload(caller, parse(browserUploadRequest, body))],
  ["complete", (core, caller, body) => core.completeUpload(caller, parse(browserCompleteRequest, body))],
  ["cancel", (core, caller, body) => core.cancelUpload(caller, parse(browserCancelRequest, body))],
  ["delete", (core, caller, body) => core.deleteFile(caller, parse(browserDeleteRequest, body))],
]);

async function respond(config: HandlerConfig, core: Core, request: Request): Promise<Response> {
  const { allowedOrigins } = config;
  if (isPreflight(request)) return preflightResponse(allowedOrigins, request);
  const name = lastSegmentOf(request.url);
  if (request.method === "GET" && name === "routes") {
    refuseCrossSite(allowedOrigins, request);
    return jsonResponse(200, core.describeRoutes());
  }
  const act = request.method === "POST" ? postActions.get(name) : undefined;
  if (act === undefined) throw new StowageError("not_found");
  refuseCrossSite(allowedOrigins, request);
  const caller = await identifyCaller(config, request);
  if (request.bodyUsed) {
    throw operatorError("internal_error", "tenant() read the request's body: read request.clone() instead");
  }
  return jsonResponse(200, await act(core, caller, await readJsonBody(request)));
}

/** Only the last segment counts, so that the helper works below any path, with and without a trailing slash. */
function lastSegmentOf(url: string): string {
  return new URL(url).pathname.split("/").findLast((segment) => segment !== "") ?? "";
}
