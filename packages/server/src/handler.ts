import {
  browserCompleteRequest,
  browserDeleteRequest,
  browserUploadRequest,
  parse,
  StowageError,
} from "@stowage/schemas";
import { type Answer, toResponse } from "./answer.js";
import type { Config } from "./config.js";
import type { Core } from "./core/core.js";
import { allowOrigin, answerPreflight, isPreflight } from "./cors.js";
import { fault, reportFault, toStowageError } from "./fault.js";
import { identify, type Caller } from "./identify.js";
import type { Stop } from "./limit-time.js";
import { refuseCrossSite } from "./origin.js";
import { type ReadBody, readJsonBody } from "./read-json-body.js";
import { renderError, renderJson } from "./render-error.js";

/** What every adapter needs: a Web request in, a Web response out, never a rejection. */
export type Handler = (request: Request) => Promise<Response>;

type Action = (core: Core, caller: Caller, body: unknown) => Promise<object>;

const actions = new Map<string, Action>([
  ["request", (core, caller, body) => core.requestUpload(caller, parse(browserUploadRequest, body))],
  ["complete", (core, caller, body) => core.completeUpload(caller, parse(browserCompleteRequest, body))],
  ["delete", (core, caller, body) => core.deleteFile(caller, parse(browserDeleteRequest, body))],
]);

export function createHandler(config: Config, core: Core): Handler {
  const answer = createAnswerer(config, core);
  return async (request) => toResponse(await answer(request));
}

type AnswererConfig = Pick<Config, "tenant" | "timeoutMs" | "allowedOrigins" | "onError">;

export type Answerer = (request: Request, shorter?: Shorter) => Promise<Answer>;

/** Where a face has a shorter way than by the request itself. */
interface Shorter {
  readBody?: ReadBody;
  leaving?: Stop;
}

/** What every face but tRPC's is made of; never rejects. */
export function createAnswerer(config: AnswererConfig, core: Core): Answerer {
  return async (request, shorter = {}) => {
    const given = await answer(config, core, request, shorter).catch((thrown: unknown) => {
      const error = toStowageError(thrown);
      reportFault(config.onError, error, request);
      return renderError(error);
    });
    return allowOrigin(config, request, given);
  };
}

async function answer(
  config: AnswererConfig,
  core: Core,
  request: Request,
  { readBody, leaving }: Shorter,
): Promise<Answer> {
  if (isPreflight(request)) return answerPreflight(config, request);
  // By the last segment alone, so that the helper answers wherever it is mounted, slash at the end or not.
  const name = new URL(request.url).pathname.split("/").findLast((segment) => segment !== "") ?? "";
  if (request.method === "GET" && name === "routes") {
    refuseCrossSite(config, request);
    return renderJson(200, core.describeRoutes());
  }
  const act = request.method === "POST" ? actions.get(name) : undefined;
  if (act === undefined) throw new StowageError("not_found");
  const caller = await identify(config, request, leaving);
  if (request.bodyUsed) {
    throw fault("internal_error", "tenant() read the request's body: have it read request.clone() instead");
  }
  return renderJson(200, await act(core, caller, await readJsonBody(request, readBody)));
}
