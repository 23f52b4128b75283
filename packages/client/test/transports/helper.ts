import { createStowage } from "@stowage/server";
import { toNodeHandler, toWebRequest } from "@stowage/server/node";
import { createStowageRouter, stowageErrorFormatter, type StowageContext } from "@stowage/server/trpc";
import { initTRPC } from "@trpc/server";
import { createHTTPHandler } from "@trpc/server/adapters/standalone";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { API_KEY, aService } from "./fake-service.js";

/** The real helper with one route. */
export function aStowage(baseUrl: string, allowDelete: boolean) {
  return createStowage({
    apiKey: API_KEY,
    baseUrl,
    allowDelete,
    allowRestore: true,
    allowUpdate: true,
    allowFolders: true,
    allowFolderJobs: true,
    allowList: true,
    allowDownload: true,
    allowShare: true,
    allowVersions: true,
    allowUsage: true,
    tenant: (request) => request.headers.get("X-Test-User") || null,
    onError: () => {},
    routes: {
      film: {
        multipartFrom: "6MB",
        input: { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } },
        replaces: ({ input }) => input as string | undefined,
      },
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

/** A customer's appRouter that uses our error formatter. */
function anAppRouter(stowage: ReturnType<typeof aStowage>) {
  return merged.router({ stowage: createStowageRouter(stowage) });
}
export type AppRouter = ReturnType<typeof anAppRouter>;

/** A customer's appRouter without our error formatter. */
function aPlainRouter(stowage: ReturnType<typeof aStowage>) {
  return plain.router({ stowage: createStowageRouter(stowage) });
}
export type PlainRouter = ReturnType<typeof aPlainRouter>;

/** The helper over HTTP, and over tRPC with and without the error formatter. Each listens on its own port. */
export async function aHelper({ allowDelete = true }: { allowDelete?: boolean }) {
  const service = await aService();
  const stowage = aStowage(service.url, allowDelete);
  const trpcHandler = (router: AppRouter | PlainRouter) =>
    createHTTPHandler({
      router: router as AppRouter,
      basePath: "/",
      createContext: ({ req, res }) => ({ request: toWebRequest(req, res) }),
    });
  const servers = [
    createServer(toNodeHandler(stowage)),
    createServer(trpcHandler(anAppRouter(stowage))),
    createServer(trpcHandler(aPlainRouter(stowage))),
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
