import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { pageHeaders } from "../page-headers.js";
import { createDescriptionHandler, type DescriptionDeps } from "./describe-service.js";

export interface DashboardRoutesDeps extends DescriptionDeps {
  /** Folder with the built dashboard. If it has no `index.html`, no pages are served. */
  dashboardDir: string;
  /** Origins under which browsers reach storage, and the CDN in front of it. Pages show files from there and upload to it. */
  storageOrigins: () => string[];
}

/**
 * Serves the dashboard's pages and assets. The dashboard is a single-page app: its own router reads the path, so every page is the
 * same document. At `/`, programs get a description of the service.
 */
export async function dashboardRoutes(app: FastifyInstance, deps: DashboardRoutesDeps): Promise<void> {
  const { dashboardDir } = deps;
  const { basePath } = deps.dashboard;
  const describeService = createDescriptionHandler(deps);
  if (!existsSync(join(dashboardDir, "index.html"))) {
    app.get("/", describeService);
    return;
  }
  await app.register(async (scope) => {
    await scope.register(fastifyStatic, { root: dashboardDir, serve: false, preCompressed: true });
    await scope.register(fastifyStatic, {
      root: join(dashboardDir, "assets"),
      prefix: "/assets/",
      decorateReply: false,
      preCompressed: true,
      // An asset's name contains a hash of its content.
      immutable: true,
      maxAge: "1y",
    });
    scope.get("/favicon.svg", async (_request, reply) => reply.sendFile("favicon.svg", { maxAge: "1d" }));
    // Browsers get a copy of these packages' code, so they can also get the licenses.
    scope.get("/third-party-licenses.txt", async (_request, reply) =>
      reply.sendFile("third-party-licenses.txt", { maxAge: "1d" }),
    );
    const sendPage = async (reply: FastifyReply) => {
      reply.headers(pageHeaders(policyOf(deps.storageOrigins().join(" "))));
      if (basePath === "") return reply.sendFile("index.html", { cacheControl: false });
      const page = await readFile(join(dashboardDir, "index.html"), "utf8");
      return reply.type("text/html; charset=utf-8").send(addBasePath(page, basePath));
    };
    scope.get("/", async (request, reply) =>
      isPage(request) ? sendPage(reply.header("Vary", "Accept")) : describeService(request, reply),
    );
    scope.get("/*", async (request, reply) => (isPage(request) ? sendPage(reply) : reply.callNotFound()));
  });
}

/** The page names its scripts and styles from the root of the host. They find each other relatively. */
function addBasePath(page: string, basePath: string): string {
  return page.replaceAll(/ (src|href)="\//g, ` $1="${basePath}/`);
}

/** Tells whether a browser asks for a page. Other requests, and all paths of the API, are not pages. */
function isPage({ url, headers: { accept = "" } }: FastifyRequest): boolean {
  return (
    accept.includes("text/html") &&
    !/^\/(api|trpc|auth|internal|assets|docs|dashboard\/export)(\/|$)/.test(url)
  );
}

/** A page may run its own scripts, call the service, and load files from storage. */
const policyOf = (storageOrigins: string): string[] => [
  "script-src 'self'",
  // Mantine writes its theme into a style element.
  "style-src 'self' 'unsafe-inline'",
  `connect-src 'self' ${storageOrigins}`,
  `img-src 'self' blob: data: ${storageOrigins}`,
  `media-src 'self' blob: ${storageOrigins}`,
  `frame-src ${storageOrigins}`,
];
