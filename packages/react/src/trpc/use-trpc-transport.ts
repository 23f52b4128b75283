"use client";

import type { UploadTransport } from "@stowage/client";
import { createTrpcTransport } from "@stowage/client/trpc";
import type {
  BrowserCompleteResponse,
  BrowserRequestResponse,
  BrowserRoutesResponse,
  BrowserUploadRequestBody,
} from "@stowage/schemas";
import { useMemo } from "react";

/** The hooks of `@trpc/react-query` for the router of `@stowage/server/trpc`. */
export interface StowageTrpcHooks {
  request: MutationHook<BrowserUploadRequestBody, BrowserRequestResponse>;
  complete: MutationHook<{ file_path: string }, BrowserCompleteResponse>;
  cancel: MutationHook<{ file_path: string }, unknown>;
  discard: MutationHook<{ except: string[] }, unknown>;
  delete: MutationHook<{ file_path: string }, unknown>;
  routes: {
    useQuery(
      input: undefined,
      options: { enabled: false; retry: false; networkMode: "always" },
    ): { refetch(options: { throwOnError: true }): Promise<{ data: BrowserRoutesResponse | undefined }> };
  };
}

interface MutationHook<Input, Output> {
  useMutation(options: { retry: false; networkMode: "always" }): {
    mutateAsync(input: Input): Promise<Output>;
  };
}

/**
 * Creates a transport that calls the backend through the hooks of `@trpc/react-query`. It sends every file by one PUT, because
 * the hooks cannot list parts on demand. Use `createTrpcTransport` for files by parts.
 *
 * @example const transport = useTrpcTransport(trpc.stowage);
 */
export function useTrpcTransport(hooks: StowageTrpcHooks): UploadTransport {
  /* oxlint-disable react/hooks -- members of tRPC's proxy, which is the same at every render */
  const { mutateAsync: request } = hooks.request.useMutation(LEFT_TO_THE_WIDGET);
  const { mutateAsync: complete } = hooks.complete.useMutation(LEFT_TO_THE_WIDGET);
  const { mutateAsync: cancel } = hooks.cancel.useMutation(LEFT_TO_THE_WIDGET);
  const { mutateAsync: discard } = hooks.discard.useMutation(LEFT_TO_THE_WIDGET);
  const { mutateAsync: remove } = hooks.delete.useMutation(LEFT_TO_THE_WIDGET);
  const { refetch } = hooks.routes.useQuery(undefined, { enabled: false, ...LEFT_TO_THE_WIDGET });
  /* oxlint-enable react/hooks */

  return useMemo(() => {
    const routes = async () => (await refetch({ throwOnError: true })).data ?? { routes: {} };
    return createTrpcTransport({
      request: { mutate: (input) => request(input) },
      complete: { mutate: (input) => complete(input) },
      cancel: { mutate: (input) => cancel(input) },
      discard: { mutate: (input) => discard(input) },
      delete: { mutate: (input) => remove(input) },
      routes: { query: routes },
    });
  }, [request, complete, cancel, discard, remove, refetch]);
}

/** The widget retries and waits for the network itself, and shows both. */
const LEFT_TO_THE_WIDGET = { retry: false, networkMode: "always" } as const;
