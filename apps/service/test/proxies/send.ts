import { connect } from "node:http2";
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { request, type RequestOptions } from "node:https";
import type { Proxy } from "../fixtures/a-proxy.js";

export interface ProxiedAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

interface ProxiedCall {
  method?: string;
  headers?: Record<string, string | number>;
  body?: string | Uint8Array;
  /** The address of the client, such as 127.0.0.2. */
  localAddress?: string;
}

const TIMEOUT_MS = 20_000;

/** Sends a request over TLS through a proxy. `fetch` cannot trust a certificate of a test. */
export function send(proxy: Pick<Proxy, "ca">, url: string, sent: ProxiedCall = {}): Promise<ProxiedAnswer> {
  return new Promise((resolve, reject) => {
    const { body, method = body === undefined ? "GET" : "POST" } = sent;
    open(proxy, url, { ...sent, method }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("error", reject);
      response.on("end", () => resolve({ status: response.statusCode!, headers: response.headers, text }));
    })
      .on("error", reject)
      .end(body);
  });
}

/** Opens a request whose body the caller sends, or whose answer does not end. */
export function open(
  { ca }: Pick<Proxy, "ca">,
  url: string,
  { method = "GET", headers = {}, localAddress }: ProxiedCall,
  onAnswer: (response: IncomingMessage) => void,
): ClientRequest {
  const options: RequestOptions = { method, headers, ca, agent: false, timeout: TIMEOUT_MS };
  const call = request(url, { ...options, ...(localAddress && { localAddress }) }, onAnswer);
  return call.on("timeout", () => call.destroy(new Error("no answer")));
}

/** Sends several GET requests at once over one HTTP/2 connection. @returns their statuses */
export async function sendOverHttp2(
  { url, ca }: Proxy,
  paths: string[],
  headers: Record<string, string>,
): Promise<number[]> {
  const session = connect(url, { ca });
  try {
    const statuses = paths.map(
      (path) =>
        new Promise<number>((resolve, reject) => {
          const stream = session.request({ ":path": path, ...headers });
          stream.on("response", (answer) => resolve(Number(answer[":status"]))).on("error", reject);
          stream.resume().setTimeout(TIMEOUT_MS, () => reject(new Error("no answer")));
        }),
    );
    session.on("error", () => undefined);
    return await Promise.all(statuses);
  } finally {
    session.destroy();
  }
}

/** A request of a customer's backend with a JSON body. */
export const json = (key: string, body: object, headers: Record<string, string> = {}) => ({
  headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...headers },
  body: JSON.stringify(body),
});
