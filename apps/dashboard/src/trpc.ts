import type { AppRouter } from "@stowage/service/trpc";
import { httpBatchLink, httpSubscriptionLink, splitLink, TRPCClientError } from "@trpc/client";
import { createTRPCReact } from "@trpc/react-query";
import { basePath } from "./base-path.js";
import { fetchService } from "./fetch-service.js";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";

export type Inputs = inferRouterInputs<AppRouter>;
export type Outputs = inferRouterOutputs<AppRouter>;

/** React hooks for every procedure of the service. */
export const trpc = createTRPCReact<AppRouter>();

/** Batches concurrent calls into one request. Each subscription has its own event stream. */
export const trpcClient = trpc.createClient({
  links: [
    splitLink({
      condition: ({ type }) => type === "subscription",
      true: httpSubscriptionLink({ url: `${basePath}/trpc` }),
      false: httpBatchLink({
        url: `${basePath}/trpc`,
        maxURLLength: 2000,
        maxItems: 20,
        fetch: (url, init) => fetchService(String(url), init as RequestInit),
      }),
    }),
  ],
});

/** Returns the service's error (code, detail, field) of a failed call, or null if the service did not answer. */
export function serviceErrorOf(error: unknown) {
  return error instanceof TRPCClientError
    ? ((error as TRPCClientError<AppRouter>).data?.stowage ?? null)
    : null;
}
