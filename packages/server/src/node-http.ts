import {
  Agent as HttpAgent,
  request as overHttp,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import { Agent as HttpsAgent, request as overHttps } from "node:https";

/** Starts a request by Node's own HTTP client, over TLS if the URL says so. */
export function startRequest(url: string, options: RequestOptions): ClientRequest {
  return url.startsWith("https:") ? overHttps(url, options) : overHttp(url, options);
}

/** Waits for status and headers. Rejects if the connection fails first. */
export function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once("response", resolve);
    // Not `once`: an error after the response needs a listener too, otherwise it ends the process.
    request.on("error", reject);
  });
}

/** Connections that stay open between requests. */
export interface KeepAliveAgents {
  /** Returns the agent for the protocol of a URL. */
  of(url: string): HttpAgent;
  /** Closes all connections. */
  destroy(): void;
}

export function createKeepAliveAgents(): KeepAliveAgents {
  const http = new HttpAgent({ keepAlive: true });
  const https = new HttpsAgent({ keepAlive: true });
  return {
    of: (url) => (url.startsWith("https:") ? https : http),
    destroy() {
      http.destroy();
      https.destroy();
    },
  };
}
