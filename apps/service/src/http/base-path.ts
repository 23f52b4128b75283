import type { IncomingMessage } from "node:http";

/**
 * The paths that the service itself serves. With DASHBOARD_URL=https://tools.example/dashboard, a request for
 * `/dashboard/export/files.csv` is for the service: its proxy has removed the path of the dashboard.
 */
const ownPaths = [
  "/api/storage",
  "/assets",
  "/auth",
  "/dashboard/export",
  "/docs",
  "/favicon.svg",
  "/healthz",
  "/internal/storage-events",
  "/openapi.json",
  "/openapi-3.0.json",
  "/readyz",
  "/s",
  "/third-party-licenses.txt",
  "/trpc",
];

/** Tells whether the service itself serves this path, or something above it. */
export function isOwnPath(path: string): boolean {
  return ownPaths.some((own) => isAtOrBelow(path, own));
}

/**
 * Lets the dashboard be below a path, behind proxies that keep the path and behind those that remove it: the service answers with
 * and without it.
 *
 * @param basePath such as `/stowage`. Empty: the dashboard has its own host
 * @returns Fastify's `rewriteUrl`
 */
export function removeBasePath(basePath: string): ((request: IncomingMessage) => string) | undefined {
  if (basePath === "") return undefined;
  return ({ url = "/" }) => {
    if (!isAtOrBelow(url, basePath) || isOwnPath(url)) return url;
    const rest = url.slice(basePath.length);
    return rest.startsWith("/") ? rest : `/${rest}`;
  };
}

function isAtOrBelow(url: string, path: string): boolean {
  return url.startsWith(path) && ["", "/", "?"].includes(url.charAt(path.length));
}
