import { request as overHttp, type ClientRequest, type IncomingMessage } from "node:http";
import { request as overHttps } from "node:https";
import { urlToHttpOptions } from "node:url";
import { byFetch, type ServiceFetchOf, type ServiceResponse } from "../service-fetch.js";
import { globalFetch } from "../service-options.js";

const nodesOwn = globalThis.fetch;

/**
 * Calls the service by Node's own HTTP, over connections that its global agents keep: its `fetch` costs several times as much.
 * One that instrumentation has put in its place is used all the same.
 */
export const byNode: ServiceFetchOf = (baseUrl) => {
  // Read once: every call goes there.
  const address = new URL(baseUrl);
  const target = urlToHttpOptions(address);
  const basePath = address.pathname.replace(/\/$/, "");
  const send = address.protocol === "https:" ? overHttps : overHttp;
  const byGlobalFetch = byFetch(globalFetch)(baseUrl);
  return async (path, call, limit) => {
    if (globalThis.fetch !== nodesOwn) return byGlobalFetch(path, call, limit);
    const { method, headers, body = "" } = call;
    const request = send({ ...target, path: `${basePath}${path}`, method, headers });
    const answer = answerTo(request);
    limit.whenOver((reason) => request.destroy(reason as Error));
    request.end(body);
    return answer;
  };
};

function answerTo(request: ClientRequest): Promise<ServiceResponse> {
  return new Promise((resolve, reject) => {
    request.on("error", reject);
    request.on("response", (response: IncomingMessage) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => (text += part));
      response.on("error", reject);
      response.on("end", () => resolve(asResponse(response, text)));
    });
  });
}

function asResponse({ statusCode = 0, headers }: IncomingMessage, text: string): ServiceResponse {
  return {
    ok: statusCode >= 200 && statusCode < 300,
    status: statusCode,
    headers: { get: (name) => headers[name.toLowerCase()]?.toString() ?? null },
    text: async () => text,
  };
}
