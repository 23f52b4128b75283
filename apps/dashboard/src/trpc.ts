import type { AppRouter } from "@stowage/service/trpc";
import { httpBatchLink, httpSubscriptionLink, splitLink, TRPCClientError } from "@trpc/client";
import { createTRPCReact } from "@trpc/react-query";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";

export type Inputs = inferRouterInputs<AppRouter>;
export type Outputs = inferRouterOutputs<AppRouter>;

/** What the service can be asked, as hooks. */
export const trpc = createTRPCReact<AppRouter>();

const ANSWER_TIMEOUT_MS = 20_000;

/** Calls of one moment travel together; what goes on for long has a stream of its own. */
export const trpcClient = trpc.createClient({
  links: [
    splitLink({
      condition: ({ type }) => type === "subscription",
      true: httpSubscriptionLink({ url: "/trpc" }),
      false: httpBatchLink({
        url: "/trpc",
        maxURLLength: 2000,
        maxItems: 20,
        fetch: (url, { signal, ...options } = {}) =>
          fetch(url, {
            ...(options as RequestInit),
            signal: AbortSignal.any([
              ...(signal ? [signal as AbortSignal] : []),
              AbortSignal.timeout(ANSWER_TIMEOUT_MS),
            ]),
          }),
      }),
    }),
  ],
});

/** What the service said of a call that failed; null when it said nothing: it was not reached. */
export function refusalOf(error: unknown) {
  return error instanceof TRPCClientError
    ? ((error as TRPCClientError<AppRouter>).data?.stowage ?? null)
    : null;
}
