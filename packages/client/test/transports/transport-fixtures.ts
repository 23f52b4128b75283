import { createTRPCClient, httpBatchLink, httpLink } from "@trpc/client";
import { createTrpcTransport } from "../../src/trpc/index.js";
import { createHttpTransport } from "../../src/network/http-transport.js";
import { createFakeTransport, UploadError, type UploadErrorCode } from "../../src/testing/index.js";
import type { PartTicket, UploadTicket, UploadTransport } from "../../src/transport.js";
import { aHelper, type AppRouter, type PlainRouter } from "./helper.js";

/** A transport, and control over the backend behind it. */
export interface TransportFixture {
  transport: Required<Omit<UploadTransport, "put" | "putPart">>;
  put(ticket: UploadTicket, text: string): Promise<void>;
  putPart(path: string, part: PartTicket): Promise<void>;
  /** Makes the service refuse the next call. */
  refuseNext(refusal: {
    code: UploadErrorCode;
    status: number;
    detail: string;
    retryAfterSeconds?: number;
  }): void;
  /** Makes the next call hang. Resolves when it has arrived. */
  hangNext(): Promise<void>;
  signOut(): void;
  goOffline(): void;
  close(): void;
}

export type StartFixture = (options: { allowDelete?: boolean }) => Promise<TransportFixture>;

export const overHelper =
  (connect: (helper: Awaited<ReturnType<typeof aHelper>>) => UploadTransport): StartFixture =>
  async (options) => {
    const helper = await aHelper(options);
    return {
      // All these transports have all methods.
      transport: connect(helper) as TransportFixture["transport"],
      async put({ presigned_url, headers }, body) {
        await fetch(presigned_url, { method: "PUT", headers, body });
      },
      async putPart(_path, { presigned_url, size }) {
        await fetch(presigned_url, { method: "PUT", body: new Uint8Array(size) });
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

const fake: StartFixture = async ({ allowDelete }) => {
  const transport = createFakeTransport({
    allowDelete,
    multipartFrom: "6MB",
    partSize: 5 * 1024 ** 2,
    routes: {
      film: { replaces: ({ input }) => input as string | undefined },
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
    putPart: (path, part) =>
      transport.putPart({ ...part, file_path: path }, new Blob([new Uint8Array(part.size)]), {
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

export const transportFixtures: [string, StartFixture][] = [
  ["HTTP", http],
  ["tRPC", trpc],
  ["tRPC in batches, without the formatter of errors", plainTrpc],
  ["the fake", fake],
];
