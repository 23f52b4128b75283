import type { FastifyInstance, FastifyRequest } from "fastify";

export interface StrictTransport {
  /** How long a browser remembers that this host is only called over https, in seconds. 0: it forgets what it remembers. */
  maxAgeSeconds: number;
  /** The host of the dashboard's address, such as `storage.example.com`, if browsers reach it over https. */
  httpsHost: string | undefined;
}

/** @param dashboardUrl the setting DASHBOARD_URL */
export function strictTransport(maxAgeSeconds: number, dashboardUrl: string | undefined): StrictTransport {
  const { protocol, host } = new URL(dashboardUrl ?? "http://localhost");
  return { maxAgeSeconds, httpsHost: protocol === "https:" ? host : undefined };
}

/**
 * Sends Strict-Transport-Security (RFC 6797) with every answer over https: a browser that has seen it never calls this host over
 * plain http again. Names neither subdomains nor `preload`, because the service does not know what else runs in the domain.
 */
export function sendStrictTransport(
  app: FastifyInstance,
  { maxAgeSeconds, httpsHost }: StrictTransport,
): void {
  const header = `max-age=${maxAgeSeconds}`;
  app.addHook("onRequest", async (request, reply) => {
    if (isHttps(request, httpsHost)) reply.header("Strict-Transport-Security", header);
  });
}

/** The service itself speaks plain http, so only a proxy's header or the dashboard's address says what the browser sees. */
function isHttps(request: FastifyRequest, httpsHost: string | undefined): boolean {
  // Fastify reads X-Forwarded-Proto only from a trusted proxy.
  if (request.protocol === "https") return true;
  if (httpsHost === undefined || request.headers["x-forwarded-proto"] === "http") return false;
  return request.headers.host === httpsHost;
}
