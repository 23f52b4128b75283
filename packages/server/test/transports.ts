import { createTRPCClient, httpLink, TRPCClientError } from "@trpc/client";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { StowageError, type Stowage } from "../src/index.js";
import { createStowageRouter, type StowageRouter } from "../src/adapters/trpc.js";
import { get, post } from "./a-stowage.js";
import { overNode } from "./over-node.js";

/** The response as a page receives it, in the same form for each transport. */
export interface PageResponse {
  status: number;
  /** A refusal has none. */
  body?: Record<string, unknown>;
  code?: string | undefined;
  detail?: string | undefined;
  reserved_bytes?: number;
}

/** The calls by their path over HTTP, with their names over tRPC. */
const mutations = {
  request: "request",
  "request-batch": "requestBatch",
  parts: "signParts",
  complete: "complete",
  "complete-batch": "completeBatch",
  cancel: "cancel",
  discard: "discard",
  delete: "delete",
  restore: "restore",
  update: "update",
  "move-folder": "moveFolder",
  "delete-folder": "deleteFolder",
  download: "download",
  downloads: "downloads",
  share: "share",
  "revoke-link": "revokeLink",
  "restore-version": "restoreVersion",
} as const;
const queries = {
  routes: "routes",
  open: "open",
  parts: "listParts",
  list: "list",
  folders: "folders",
  job: "job",
  links: "links",
  versions: "versions",
  usage: "usage",
} as const;
type Action = keyof typeof mutations;
type ReadAction = keyof typeof queries;

/** A way to call the helper. All transports must give the same answers. */
export interface Transport {
  name: string;
  call(
    stowage: Stowage,
    action: Action,
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<PageResponse>;
  read(
    stowage: Stowage,
    action: ReadAction,
    query?: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<PageResponse>;
  routes(stowage: Stowage, headers?: Record<string, string>): Promise<PageResponse>;
}

const overHttp = (
  name: string,
  send: (stowage: Stowage, request: Request) => Promise<Response>,
): Transport => ({
  name,
  call: async (stowage, action, body, headers) =>
    toPageResponse(await send(stowage, post(action, body, headers))),
  read: async (stowage, action, query, headers) =>
    toPageResponse(await send(stowage, get(action, query, headers))),
  routes: async (stowage, headers = {}) =>
    toPageResponse(await send(stowage, new Request("https://app.example/api/stowage/routes", { headers }))),
});

const web = overHttp("the Web handler", (stowage, request) => stowage.handler(request));
const node = overHttp("a Node server", overNode);

async function toPageResponse(response: Response): Promise<PageResponse> {
  const body = (await response.json()) as Record<string, unknown>;
  if (response.ok) return { status: response.status, body };
  const reserved = body["reserved_bytes"] as number | undefined;
  return {
    status: response.status,
    code: body["code"] as string,
    detail: body["detail"] as string,
    ...(reserved === undefined ? {} : { reserved_bytes: reserved }),
  };
}

const trpc: Transport = {
  name: "tRPC",
  call: (stowage, action, body, headers) =>
    // The body may be invalid on purpose. trpc.test.ts tests the types of the client.
    overTrpc(stowage, headers, (client) => client[mutations[action]].mutate(body as never)),
  read: (stowage, action, query, headers) =>
    // The query may be invalid on purpose.
    overTrpc(stowage, headers, (client) => client[queries[action]].query(query as never)),
  routes: (stowage, headers) => overTrpc(stowage, headers, (client) => client.routes.query()),
};

async function overTrpc(
  stowage: Stowage,
  headers: Record<string, string> | undefined,
  call: (client: ReturnType<typeof createTRPCClient<StowageRouter>>) => Promise<object>,
): Promise<PageResponse> {
  let cause: unknown;
  const client = createTRPCClient<StowageRouter>({
    links: [
      httpLink({
        url: "https://app.example/trpc",
        headers: { "X-Test-User": "user_ada", ...headers },
        fetch: (url, init) =>
          fetchRequestHandler({
            endpoint: "/trpc",
            // tRPC declares narrower types for its fetch than the global ones. At run time they are the same.
            req: new Request(url as string, init as RequestInit),
            router: createStowageRouter(stowage),
            createContext: ({ req }) => ({ request: req }),
            onError: ({ error }) => void (cause = error.cause),
          }),
      }),
    ],
  });
  try {
    return { status: 200, body: { ...(await call(client)) } };
  } catch (thrown) {
    if (!(thrown instanceof TRPCClientError) || !(cause instanceof StowageError)) throw thrown;
    const { code, reservedBytes } = cause;
    return {
      status: thrown.data?.httpStatus as number,
      code,
      detail: thrown.message,
      ...(reservedBytes === undefined ? {} : { reserved_bytes: reservedBytes }),
    };
  }
}

export const transports: Transport[] = [web, node, trpc];
