import { existsSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import { StowageError } from "@stowage/schemas";
import type { FastifyInstance } from "fastify";

export interface DashboardRouteDeps {
  /** Folder with the built pages; where there are none, nothing is served. */
  dashboardDir: string;
  /** Where browsers reach storage: pages show files from there, and send them there. */
  storageOrigin: string;
}

/**
 * `GET /` and all below it that is no call: the dashboard's pages. Which page an address is, the page's own router knows, so
 * whatever a browser asks for as a document is the one document there is.
 */
export async function dashboardRoute(app: FastifyInstance, deps: DashboardRouteDeps): Promise<void> {
  const { dashboardDir } = deps;
  if (!existsSync(join(dashboardDir, "index.html"))) return;
  await app.register(async (scope) => {
    await scope.register(fastifyStatic, { root: dashboardDir, serve: false, preCompressed: true });
    await scope.register(fastifyStatic, {
      root: join(dashboardDir, "assets"),
      prefix: "/assets/",
      decorateReply: false,
      preCompressed: true,
      // Their names change with what is in them.
      immutable: true,
      maxAge: "1y",
    });
    const headers = pageHeaders(deps.storageOrigin);
    scope.get("/favicon.svg", async (_request, reply) => reply.sendFile("favicon.svg", { maxAge: "1d" }));
    scope.get("/*", async (request, reply) => {
      if (!isPage(request.url, request.headers.accept)) throw new StowageError("not_found");
      return reply.headers(headers).sendFile("index.html", { cacheControl: false });
    });
  });
}

/** Whether a browser asks for a document, and not a program for an answer. */
function isPage(url: string, accept = ""): boolean {
  return (
    accept.includes("text/html") && !/^\/(api|trpc|auth|internal|assets|dashboard\/export)(\/|$)/.test(url)
  );
}

/** What a page of ours may do: its own scripts and calls, and files from storage. Nobody may frame it. */
function pageHeaders(storageOrigin: string): Record<string, string> {
  const policy = [
    "default-src 'self'",
    "script-src 'self'",
    // Mantine writes its theme into a style element.
    "style-src 'self' 'unsafe-inline'",
    `connect-src 'self' ${storageOrigin}`,
    `img-src 'self' blob: data: ${storageOrigin}`,
    `media-src 'self' blob: ${storageOrigin}`,
    `frame-src ${storageOrigin}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  return {
    "Content-Security-Policy": policy.join("; "),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
  };
}
