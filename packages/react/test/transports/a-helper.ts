import { createStowage } from "@stowage/server";
import { toNodeHandler, toWebRequest } from "@stowage/server/node";
import { createStowageRouter, stowageErrorFormatter, type StowageContext } from "@stowage/server/trpc";
import { initTRPC } from "@trpc/server";
import { createHTTPHandler } from "@trpc/server/adapters/standalone";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { API_KEY, aService } from "./a-service.js";

/** The real helper with one route, before a service. */
export function aStowage(baseUrl: string, allowDelete: boolean) {
  return createStowage({
    apiKey: API_KEY,
    baseUrl,
    allowDelete,
    tenant: (request) => request.headers.get("X-Test-User") || null,
    onError: () => {},
    routes: {
      note: {
        accept: "text/plain",
        maxSize: "1KB",
        minSize: 1,
        maxFiles: 2,
        onComplete: ({ file }) => ({ path: file.filePath, at: new Date(0) }),
      },
    },
  });
}

const merged = initTRPC.context<StowageContext>().create({ errorFormatter: stowageErrorFormatter });
const plain = initTRPC.context<StowageContext>().create();

/** An appRouter of a customer's, whose errors carry the code. */
function anAppRouter(stowage: ReturnType<typeof aStowage>) {
  return merged.router({ stowage: createStowageRouter(stowage) });
}
export type AppRouter = ReturnType<typeof anAppRouter>;

/** The same by somebody who never heard of the formatter. */
function aPlainRouter(stowage: ReturnType<typeof aStowage>) {
  return plain.router({ stowage: createStowageRouter(stowage) });
}
export type PlainRouter = ReturnType<typeof aPlainRouter>;

/** The helper's three faces on one port each, as a customer's server would mount them. */
export async function aHelper({ allowDelete = true }: { allowDelete?: boolean }) {
  const service = await aService();
  const stowage = aStowage(service.url, allowDelete);
  const over = (router: AppRouter | PlainRouter) =>
    createHTTPHandler({
      router: router as AppRouter,
      basePath: "/",
      createContext: ({ req, res }) => ({ request: toWebRequest(req, res) }),
    });
  const servers = [
    createServer(toNodeHandler(stowage)),
    createServer(over(anAppRouter(stowage))),
    createServer(over(aPlainRouter(stowage))),
  ];
  const urls = await Promise.all(
    servers.map(async (server) => {
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    }),
  );
  const goOffline = () => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  };
  let user = "user_ada";
  return {
    service,
    http: urls[0] ?? "",
    trpc: urls[1] ?? "",
    plainTrpc: urls[2] ?? "",
    headers: () => ({ "X-Test-User": user }),
    signOut: () => void (user = ""),
    goOffline,
    close() {
      goOffline();
      service.close();
    },
  };
}
