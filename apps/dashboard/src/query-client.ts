import { MutationCache, type Query, QueryCache, QueryClient } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { serviceErrorOf, trpc } from "./trpc.js";

const RETRIES = 2;

/** Creates the query cache. It retries queries only if the service did not answer or answered `unavailable`. */
export function createQueryClient(): QueryClient {
  const meKey = getQueryKey(trpc.session.me);
  const isMeQuery = (query: Query<unknown, unknown>) => String(query.queryKey[0]) === String(meKey[0]);
  // A session can end while a page is open. Any call that is answered `signed_out` refreshes `session.me`, and SignedIn then
  // redirects to the sign-in page, or shows the set-up of two-step sign-in if that is missing. The error of `session.me` itself must
  // not, or it would refetch forever.
  const onError = (error: unknown) => {
    const code = serviceErrorOf(error)?.code;
    if (code === "signed_out" || code === "two_factor_missing")
      void client.invalidateQueries({ queryKey: meKey });
  };
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => (isMeQuery(query) ? undefined : onError(error)),
    }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => {
          const code = serviceErrorOf(error)?.code;
          return failures < RETRIES && (code === undefined || code === "unavailable");
        },
      },
      // Offline, a mutation fails immediately. If it waited for the network, it could run after its dialog was closed.
      mutations: { retry: false, gcTime: 0, networkMode: "always" },
    },
  });
  return client;
}
