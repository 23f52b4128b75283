import { request as overHttp, type ClientRequest, type IncomingMessage } from "node:http";
import { request as overHttps } from "node:https";
import type { ServiceFetch, ServiceResponse } from "../service-fetch.js";

const nodesOwn = globalThis.fetch;

/**
 * Calls the service by Node's own HTTP, over connections that its global agents keep: its `fetch` costs several times as much.
 * One that instrumentation has put in its place is used all the same.
 */
export const nodeFetch: ServiceFetch = async (url, call) => {
  if (globalThis.fetch !== nodesOwn) return globalThis.fetch(url, call);
  const { method, headers, body = "", signal } = call;
  const send = url.startsWith("https:") ? overHttps : overHttp;
  signal.throwIfAborted();
  const request = send(url, { method, headers });
  const giveUp = () => request.destroy(signal.reason as Error);
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    request.end(body);
    return await answerTo(request);
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
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
