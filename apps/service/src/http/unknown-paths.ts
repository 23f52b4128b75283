import { StowageError } from "@stowage/schemas";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/**
 * Answers requests that no route takes: 405 with `Allow` for a known path with another method, otherwise 404. Neither needs a key,
 * because the paths of the API are public, and neither reads the body. Call it before the routes are registered.
 */
export function refuseUnknownPaths(app: FastifyInstance): void {
  const methodsByPath = collectRoutes(app);
  const refuse = (request: FastifyRequest, reply: FastifyReply): never => {
    const methods = methodsByPath.get(pathOf(request.url));
    if (methods === undefined) throw new StowageError("not_found");
    reply.header("Allow", [...methods].join(", "));
    throw new StowageError("method_not_allowed");
  };
  app.addHook("onRequest", async (request, reply) => {
    if (request.is404) refuse(request, reply);
  });
  // For routes that call `reply.callNotFound()`.
  app.setNotFoundHandler(refuse);
}

/** Collects the methods of each path. Leaves out paths with parameters: those of the dashboard's pages, assets and calls. */
function collectRoutes(app: FastifyInstance): Map<string, Set<string>> {
  const methodsByPath = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ method, url }) => {
    if (/[:*]/.test(url)) return;
    const path = withoutSlash(url);
    const methods = methodsByPath.get(path) ?? new Set();
    methodsByPath.set(path, methods);
    for (const name of [method].flat()) methods.add(name);
  });
  return methodsByPath;
}

/** Returns the path of a URL as the router reads it. */
function pathOf(url: string): string {
  const [path = ""] = url.split(/[?#]/, 1);
  try {
    return withoutSlash(decodeURI(path));
  } catch {
    return path;
  }
}

const withoutSlash = (path: string) => path.replace(/(?<=.)\/$/, "");
