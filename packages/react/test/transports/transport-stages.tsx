import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink, httpLink } from "@trpc/client";
import { createTRPCReact } from "@trpc/react-query";
import { renderToString } from "react-dom/server";
import { createHttpTransport } from "../../src/core/network/http-transport.js";
import type { UploadTicket, UploadTransport } from "../../src/core/transport.js";
import { createFakeTransport, UploadError, type UploadErrorCode } from "../../src/testing/index.js";
import { createTrpcTransport, useTrpcTransport } from "../../src/trpc/index.js";
import { aHelper, type AppRouter, type PlainRouter } from "./a-helper.js";

/** A transport, and a hand on the world behind it. */
export interface TransportStage {
  transport: Required<Omit<UploadTransport, "put">>;
  put(ticket: UploadTicket, text: string): Promise<void>;
  /** The next call is refused by the service. */
  refuseNext(refusal: {
    code: UploadErrorCode;
    status: number;
    detail: string;
    retryAfterSeconds?: number;
  }): void;
  /** The next call is not answered; resolves when it is there. */
  hangNext(): Promise<void>;
  signOut(): void;
  goOffline(): void;
  close(): void;
}

type StartStage = (options: { allowDelete?: boolean }) => Promise<TransportStage>;

const overHelper =
  (connect: (helper: Awaited<ReturnType<typeof aHelper>>) => UploadTransport): StartStage =>
  async (options) => {
    const helper = await aHelper(options);
    return {
      // Each of these has every call.
      transport: connect(helper) as TransportStage["transport"],
      async put({ presigned_url, headers }, body) {
        await fetch(presigned_url, { method: "PUT", headers, body });
      },
      refuseNext: ({ status, detail, retryAfterSeconds }) =>
        helper.service.refuseNext({ status, detail, ...(retryAfterSeconds && { retryAfterSeconds }) }),
      hangNext: helper.service.hangNext,
      signOut: helper.signOut,
      goOffline: helper.goOffline,
      close: helper.close,
    };
  };

const http = overHelper((helper) => createHttpTransport({ endpoint: helper.http, headers: helper.headers }));

const trpc = overHelper(({ trpc: url, headers }) =>
  createTrpcTransport(createTRPCClient<AppRouter>({ links: [httpLink({ url, headers })] }).stowage),
);

const plainTrpc = overHelper(({ plainTrpc: url, headers }) =>
  createTrpcTransport(createTRPCClient<PlainRouter>({ links: [httpBatchLink({ url, headers })] }).stowage),
);

/** Rendered as on a server: a helper refuses to run where there is a document. */
const trpcHooks = overHelper(({ trpc: url, headers }) => {
  const api = createTRPCReact<AppRouter>();
  const client = api.createClient({ links: [httpLink({ url, headers })] });
  const queryClient = new QueryClient();
  let transport: UploadTransport | undefined;
  function Page() {
    transport = useTrpcTransport(api.stowage);
    return null;
  }
  renderToString(
    <api.Provider client={client} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <Page />
      </QueryClientProvider>
    </api.Provider>,
  );
  if (!transport) throw new Error("the page was not rendered");
  return transport;
});

const fake: StartStage = async ({ allowDelete }) => {
  const transport = createFakeTransport({
    allowDelete,
    routes: {
      note: {
        accept: "text/plain",
        maxSize: "1KB",
        minSize: 1,
        maxFiles: 2,
        onComplete: ({ path }) => ({ path, at: new Date(0) }),
      },
    },
  });
  return {
    transport,
    put: (ticket, text) =>
      transport.put(ticket, new File([text], "note.txt"), {
        signal: new AbortController().signal,
        onProgress: () => {},
      }),
    refuseNext: ({ code, status, detail, retryAfterSeconds }) =>
      transport.failNext(
        "request",
        new UploadError(code, {
          status,
          detail,
          retryAfterMs: retryAfterSeconds && retryAfterSeconds * 1000,
        }),
      ),
    hangNext: () => transport.holdNext("request").arrived,
    signOut: () => transport.failNext("request", "unauthorized"),
    goOffline: transport.goOffline,
    close: () => {},
  };
};

export const transportStages: [string, StartStage][] = [
  ["HTTP", http],
  ["tRPC", trpc],
  ["tRPC in batches, without the formatter of errors", plainTrpc],
  ["the hooks of tRPC", trpcHooks],
  ["the fake", fake],
];
