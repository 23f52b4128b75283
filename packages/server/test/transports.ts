import { createTRPCClient, httpLink, TRPCClientError } from "@trpc/client";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { StowageError, type Stowage } from "../src/index.js";
import { createStowageRouter, type StowageRouter } from "../src/adapters/trpc.js";
import { post } from "./a-stowage.js";
import { overNode } from "./over-node.js";

/** An answer as the page sees it, whichever way it came. */
export interface Seen {
  status: number;
  /** Of an answer; a refusal has none. */
  body?: Record<string, unknown>;
  code?: string | undefined;
  detail?: string | undefined;
}

type Action = "request" | "complete" | "delete";

/** One way to the helper. The same calls get the same answers over each. */
export interface Face {
  name: string;
  call(stowage: Stowage, action: Action, body: unknown, headers?: Record<string, string>): Promise<Seen>;
  routes(stowage: Stowage, headers?: Record<string, string>): Promise<Seen>;
}

const overHttp = (name: string, ask: (stowage: Stowage, request: Request) => Promise<Response>): Face => ({
  name,
  call: async (stowage, action, body, headers) => seen(await ask(stowage, post(action, body, headers))),
  routes: async (stowage, headers = {}) =>
    seen(await ask(stowage, new Request("https://app.example/api/stowage/routes", { headers }))),
});

const web = overHttp("the Web handler", (stowage, request) => stowage.handler(request));
const node = overHttp("a Node server", overNode);

async function seen(response: Response): Promise<Seen> {
  const body = (await response.json()) as Record<string, unknown>;
  if (response.ok) return { status: response.status, body };
  return { status: response.status, code: body["code"] as string, detail: body["detail"] as string };
}

const trpc: Face = {
  name: "tRPC",
  call: (stowage, action, body, headers) =>
    // The types of the client are tested in router.test.ts; here it sends what no client should.
    overTrpc(stowage, headers, (client) => client[action].mutate(body as never)),
  routes: (stowage, headers) => overTrpc(stowage, headers, (client) => client.routes.query()),
};

async function overTrpc(
  stowage: Stowage,
  headers: Record<string, string> | undefined,
  call: (client: ReturnType<typeof createTRPCClient<StowageRouter>>) => Promise<object>,
): Promise<Seen> {
  let cause: unknown;
  const client = createTRPCClient<StowageRouter>({
    links: [
      httpLink({
        url: "https://app.example/trpc",
        headers: { "X-Test-User": "user_ada", ...headers },
        fetch: (url, init) =>
          fetchRequestHandler({
            endpoint: "/trpc",
            // The client types its own fetch narrowly; it is the global's Request all the same.
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
    return { status: thrown.data?.httpStatus as number, code: cause.code, detail: thrown.message };
  }
}

export const faces: Face[] = [web, node, trpc];
