import * as http from "node:http";
import * as https from "node:https";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { Readable } from "node:stream";
import * as tls from "node:tls";
import type { IsDirect } from "./no-proxy.js";

/** A proxy that makes tunnels with CONNECT (RFC 9110, section 9.3.6). */
export interface ProxyAddress {
  /** `http:` or `https:`, without credentials. */
  url: URL;
  /** The header `Proxy-Authorization`. Undefined: the proxy needs none. */
  authorization: string | undefined;
}

/** The proxy made no tunnel. Neither message nor code contains its address, a credential or the target. */
export class ProxyError extends Error {
  override readonly name = "ProxyError";
  /** `PROXY_ANSWERED_407`, `PROXY_UNREACHABLE` or `PROXY_TIMEOUT`. Some callers log only the code. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** A proxy needs time to connect to the target. */
const TUNNEL_TIMEOUT_MS = 10_000;

type ConnectionOptions = https.RequestOptions & { lookup?: LookupFunction };
type OnConnection = (error: Error | null, socket?: Socket) => void;
interface Connector {
  /** Returns the socket, or passes it to `callback` later. */
  createConnection(options: ConnectionOptions, callback: OnConnection): Socket | undefined;
}

const tlsAgents = https.Agent.prototype as unknown as Connector;
const { createConnection: connectTls } = tlsAgents;
const { createConnection: connectPlainly } = http.Agent.prototype as unknown as Connector;

/** As the settings HTTPS_PROXY and NO_PROXY say. */
export function installProxyOf(settings: {
  HTTPS_PROXY?: ProxyAddress | undefined;
  NO_PROXY: IsDirect;
}): void {
  if (settings.HTTPS_PROXY) installProxy(settings.HTTPS_PROXY, settings.NO_PROXY);
}

/**
 * Sends every https request of this process through a proxy, also those of libraries that make their own agents: the AWS SDK with its sources
 * of credentials, OpenTelemetry, better-auth. Plain http is direct. Agents keep their connections, which are tunnels then.
 *
 * @param isDirect connections that go past the proxy
 * @returns undoes it
 */
export function installProxy(proxy: ProxyAddress, isDirect: IsDirect): () => void {
  const { fetch: originalFetch } = globalThis;
  tlsAgents.createConnection = function createConnection(this: Connector, options, callback) {
    const { host, port } = targetOf(options);
    if (isDirect(host, port)) return connectTls.call(this, options, callback);
    return later(openTlsTunnel(proxy, host, options), callback);
  };
  // Node's own fetch knows no proxy before Node 24.
  globalThis.fetch = (input, init) => fetchByHttps(originalFetch, input, init);
  return () => {
    tlsAgents.createConnection = connectTls;
    globalThis.fetch = originalFetch;
  };
}

/**
 * Agents for requests with a `lookup` that judges the address: the connection goes to the address that it has found. {@link installProxy} does
 * not change them. They keep no connection and no TLS session.
 *
 * @param proxy gets this address instead of the name. Null: there is none
 */
export function judgedAgents(proxy: ProxyAddress | null): Record<string, http.Agent> {
  const agents = { "https:": new https.Agent({ maxCachedSessions: 0 }), "http:": new http.Agent() };
  const connectors = agents as unknown as Record<keyof typeof agents, Connector>;
  connectors["https:"].createConnection = function createConnection(this: Connector, options, callback) {
    if (proxy === null) return connectTls.call(this, options, callback);
    const tunnel = findAddress(options).then((address) => openTlsTunnel(proxy, address, options));
    return later(tunnel, callback);
  };
  connectors["http:"].createConnection = function createConnection(this: Connector, options, callback) {
    if (proxy === null) return connectPlainly.call(this, options, callback);
    const tunnel = findAddress(options).then((address) => openTunnel(proxy, address, targetOf(options).port));
    return later(tunnel, callback);
  };
  return agents;
}

function later(tunnel: Promise<Socket>, callback: OnConnection): undefined {
  void passOn(tunnel, callback);
}

async function passOn(tunnel: Promise<Socket>, callback: OnConnection): Promise<void> {
  let socket: Socket;
  try {
    socket = await tunnel;
  } catch (error) {
    return callback(error as Error);
  }
  callback(null, socket);
}

function findAddress(options: ConnectionOptions): Promise<string> {
  const { host } = targetOf(options);
  const { lookup } = options;
  // Node looks up names only.
  if (lookup === undefined || isIP(host) !== 0) return Promise.resolve(host);
  return new Promise((resolve, reject) => {
    lookup(host, {}, (error, address) => (error ? reject(error) : resolve(String(address))));
  });
}

async function openTlsTunnel(
  proxy: ProxyAddress,
  address: string,
  options: ConnectionOptions,
): Promise<Socket> {
  const socket = await openTunnel(proxy, address, targetOf(options).port);
  // The certificate has to be the one of the name.
  return tls.connect({ ...(options as tls.ConnectionOptions), socket });
}

function targetOf({ host, hostname, port }: ConnectionOptions): { host: string; port: number } {
  const name = String(host ?? hostname ?? "localhost").replace(/^\[(.*)\]$/, "$1");
  return { host: name, port: Number(port ?? 443) };
}

function openTunnel(proxy: ProxyAddress, host: string, port: number): Promise<Socket> {
  const { url, authorization } = proxy;
  const target = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const { request } = url.protocol === "https:" ? https : http;
  return new Promise((resolve, reject) => {
    const call = request({
      host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
      port: url.port || (url.protocol === "https:" ? 443 : 80),
      method: "CONNECT",
      path: target,
      headers: { Host: target, ...(authorization && { "Proxy-Authorization": authorization }) },
      agent: judgedAgents(null)[url.protocol]!,
    });
    const fail = (error: ProxyError) => {
      clearTimeout(timer);
      call.destroy();
      reject(error);
    };
    const timer = setTimeout(
      () =>
        fail(
          new ProxyError("PROXY_TIMEOUT", `the proxy did not answer within ${TUNNEL_TIMEOUT_MS / 1000} s`),
        ),
      TUNNEL_TIMEOUT_MS,
    );
    call.on("connect", ({ statusCode = 0 }, socket: Socket, head: Buffer) => {
      if (statusCode < 200 || statusCode >= 300) return fail(refusal(statusCode));
      clearTimeout(timer);
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    // A server that is no proxy answers as to another method.
    call.on("response", ({ statusCode = 0 }) => fail(refusal(statusCode)));
    call.on("error", (error: NodeJS.ErrnoException) =>
      fail(new ProxyError("PROXY_UNREACHABLE", `the proxy cannot be reached (${error.code ?? "no answer"})`)),
    );
    call.end();
  });
}

function refusal(status: number): ProxyError {
  const hint = status === 407 ? ": its user or password is wrong or missing" : "";
  return new ProxyError(
    `PROXY_ANSWERED_${status}`,
    `the proxy refused the connection with HTTP ${status}${hint}`,
  );
}

const NO_BODY = [204, 205, 304];

/** What this process needs of `fetch`. It follows no redirect, because its callers send secrets. */
async function fetchByHttps(
  originalFetch: typeof fetch,
  input: string | URL | Request,
  init?: RequestInit,
): Promise<Response> {
  const request = new Request(input, init);
  if (!request.url.startsWith("https:")) return originalFetch(input, init);
  const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const call = https.request(request.url, {
      method: request.method,
      headers: {
        ...Object.fromEntries(request.headers),
        ...(body && { "content-length": body.length }),
      },
      signal: request.signal,
    });
    call.on("response", resolve);
    call.on("error", (error) =>
      reject(
        request.signal.aborted ? request.signal.reason : new TypeError("fetch failed", { cause: error }),
      ),
    );
    call.end(body);
  });
  const status = answer.statusCode!;
  if (status >= 300 && status < 400 && status !== 304 && request.redirect !== "manual") {
    answer.destroy();
    throw new TypeError("fetch failed", { cause: new Error("unexpected redirect") });
  }
  const headers = new Headers();
  for (let at = 0; at < answer.rawHeaders.length; at += 2)
    headers.append(answer.rawHeaders[at]!, answer.rawHeaders[at + 1]!);
  const hasBody = !NO_BODY.includes(status);
  if (!hasBody) answer.resume();
  return new Response(hasBody ? (Readable.toWeb(answer) as ReadableStream) : null, { status, headers });
}
