import * as http from "node:http";
import * as https from "node:https";
import type { ProbeRequest, ProbeResponse } from "./probe.js";

/** Sends one request. Headers that `fetch` forbids, such as `Expect`, are sent too, and redirects are not followed. */
export type Send = (
  url: string,
  request: ProbeRequest,
  options: { timeoutMs: number },
) => Promise<ProbeResponse>;

/** How long curl waits for `100 Continue` before it sends the body without it. */
const CONTINUE_MS = 1000;

export const send: Send = (url, { method = "GET", headers = {}, body = "" }, { timeoutMs }) =>
  new Promise((resolve, reject) => {
    const { request } = url.startsWith("https:") ? https : http;
    const names = Object.keys(headers).map((name) => name.toLowerCase());
    const isFramed = method === "PUT" || method === "POST";
    const length = isFramed &&
      !names.includes("transfer-encoding") && { "Content-Length": Buffer.byteLength(body) };
    const call = request(url, { method, headers: { ...headers, ...length }, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        // An early answer leaves a request that still waits for `100 Continue`.
        call.destroy();
        resolve({
          status: response.statusCode!,
          headers: toHeaders(response.rawHeaders),
          body: Buffer.concat(chunks).toString(),
        });
      });
    });
    const timer = setTimeout(
      () => call.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)),
      timeoutMs,
    );
    call.on("error", reject).on("close", () => clearTimeout(timer));
    if (!names.includes("expect")) return void call.end(body);
    call.flushHeaders();
    const sendBody = () => void (call.writableEnded || call.destroyed || call.end(body));
    call.once("continue", sendBody);
    setTimeout(sendBody, CONTINUE_MS);
  });

function toHeaders(raw: string[]): Headers {
  const headers = new Headers();
  for (let at = 0; at < raw.length; at += 2) headers.append(raw[at]!, raw[at + 1]!);
  return headers;
}
