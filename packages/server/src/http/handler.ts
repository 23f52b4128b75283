import {
  browserCancelRequest,
  browserCompleteBatch,
  browserCompleteRequest,
  browserDeleteFolderRequest,
  browserDeleteRequest,
  browserDiscardRequest,
  browserDownloadQuery,
  browserDownloadRequest,
  browserDownloadsRequest,
  browserFoldersQuery,
  browserJobQuery,
  browserLinksQuery,
  browserListPartsQuery,
  browserListQuery,
  browserMoveFolderRequest,
  browserOpenQuery,
  browserRequestBatch,
  browserRestoreVersionRequest,
  browserRevokeLinkRequest,
  browserShareRequest,
  browserSignPartsRequest,
  browserUpdateRequest,
  browserUploadRequest,
  browserVersionsQuery,
  limits,
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
import { refuseCrossSite, refuseCrossSiteLink } from "./origin.js";
import { redirectResponse } from "./redirect-response.js";

/** Answers HEAD as GET. Takes a Web request and returns a Web response. Never rejects. */
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

type PostAction = (core: Core, caller: Caller, body: unknown) => Promise<object>;

const postActions = new Map<string, PostAction>([
  ["request", (core, caller, body) => core.requestUpload(caller, parse(browserUploadRequest, body))],
  ["request-batch", (core, caller, body) => core.requestBatch(caller, parse(browserRequestBatch, body))],
  ["parts", (core, caller, body) => core.signParts(caller, parse(browserSignPartsRequest, body))],
  ["complete", (core, caller, body) => core.completeUpload(caller, parse(browserCompleteRequest, body))],
  ["complete-batch", (core, caller, body) => core.completeBatch(caller, parse(browserCompleteBatch, body))],
  ["cancel", (core, caller, body) => core.cancelUpload(caller, parse(browserCancelRequest, body))],
  ["discard", (core, caller, body) => core.discardUploads(caller, parse(browserDiscardRequest, body))],
  ["delete", (core, caller, body) => core.deleteFile(caller, parse(browserDeleteRequest, body))],
  ["restore", (core, caller, body) => core.restoreFile(caller, parse(browserDeleteRequest, body))],
  ["update", (core, caller, body) => core.updateFile(caller, parse(browserUpdateRequest, body))],
  ["move-folder", (core, caller, body) => core.moveFolder(caller, parse(browserMoveFolderRequest, body))],
  [
    "delete-folder",
    (core, caller, body) => core.deleteFolder(caller, parse(browserDeleteFolderRequest, body)),
  ],
  ["download", (core, caller, body) => core.createDownload(caller, parse(browserDownloadRequest, body))],
  ["downloads", (core, caller, body) => core.createDownloads(caller, parse(browserDownloadsRequest, body))],
  ["share", (core, caller, body) => core.shareFile(caller, parse(browserShareRequest, body))],
  ["revoke-link", (core, caller, body) => core.revokeLink(caller, parse(browserRevokeLinkRequest, body))],
  [
    "restore-version",
    (core, caller, body) => core.restoreVersion(caller, parse(browserRestoreVersionRequest, body)),
  ],
]);

const largestBodyBytes = new Map<string, number>([
  ["request-batch", limits.batchBodyBytes],
  ["complete-batch", limits.batchBodyBytes],
  ["downloads", limits.downloadsBodyBytes],
]);

interface GetAction {
  /** @default refuseCrossSite */
  refuse?: typeof refuseCrossSite;
  respond(core: Core, identify: () => Promise<Caller>, query: object): Promise<Response>;
}

const getActions = new Map<string, GetAction>([
  ["routes", { respond: async (core) => jsonResponse(200, core.describeRoutes()) }],
  [
    "list",
    {
      respond: async (core, identify, query) =>
        jsonResponse(200, await core.listFiles(await identify(), parse(browserListQuery, query))),
    },
  ],
  [
    "folders",
    {
      respond: async (core, identify, query) =>
        jsonResponse(200, await core.listFolders(await identify(), parse(browserFoldersQuery, query))),
    },
  ],
  [
    "job",
    {
      respond: async (core, identify, query) =>
        jsonResponse(200, await core.readJob(await identify(), parse(browserJobQuery, query))),
    },
  ],
  [
    "links",
    {
      respond: async (core, identify, query) =>
        jsonResponse(200, await core.listLinks(await identify(), parse(browserLinksQuery, query))),
    },
  ],
  [
    "versions",
    {
      respond: async (core, identify, query) =>
        jsonResponse(200, await core.listVersions(await identify(), parse(browserVersionsQuery, query))),
    },
  ],
  [
    "open",
    {
      respond: async (core, identify, query) =>
        jsonResponse(200, await core.listOpenUploads(await identify(), parse(browserOpenQuery, query))),
    },
  ],
  [
    "parts",
    {
      respond: async (core, identify, query) =>
        jsonResponse(200, await core.listParts(await identify(), parse(browserListPartsQuery, query))),
    },
  ],
  ["usage", { respond: async (core, identify) => jsonResponse(200, await core.readUsage(await identify())) }],
  [
    "download",
    {
      refuse: refuseCrossSiteLink,
      async respond(core, identify, query) {
        const download = await core.createDownload(await identify(), parse(browserDownloadQuery, query));
        return redirectResponse(download.presigned_url);
      },
    },
  ],
]);

async function respond(config: HandlerConfig, core: Core, request: Request): Promise<Response> {
  const { allowedOrigins } = config;
  if (isPreflight(request)) return preflightResponse(allowedOrigins, request);
  const { pathname, searchParams } = new URL(request.url);
  const name = lastSegmentOf(pathname);
  const isHead = request.method === "HEAD";
  const get = isHead || request.method === "GET" ? getActions.get(name) : undefined;
  if (get !== undefined) {
    (get.refuse ?? refuseCrossSite)(allowedOrigins, request);
    const identify = () => identifyCaller(config, request);
    const response = await get.respond(core, identify, Object.fromEntries(searchParams));
    return isHead ? new Response(null, response) : response;
  }
  const post = request.method === "POST" ? postActions.get(name) : undefined;
  if (post === undefined) throw new StowageError("not_found");
  refuseCrossSite(allowedOrigins, request);
  const caller = await identifyCaller(config, request);
  if (request.bodyUsed) {
    throw operatorError("internal_error", "tenant() read the request's body: read request.clone() instead");
  }
  const body = await readJsonBody(request, largestBodyBytes.get(name));
  return jsonResponse(200, await post(core, caller, body));
}

/** Only the last segment counts, so that the helper works below any path, with and without a trailing slash. */
function lastSegmentOf(pathname: string): string {
  return pathname.split("/").findLast((segment) => segment !== "") ?? "";
}
