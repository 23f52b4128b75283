import { MutationCache, QueryCache, QueryClient, type QueryKey } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { isOutage } from "./call-errors.js";
import { serviceStatus } from "./service.js";
import { serviceErrorOf, trpc } from "./trpc.js";

const RETRIES = 1;
const RETRY_DELAY_MS = 500;

/**
 * Creates the query cache. A query that the service did not answer is repeated once, because a restart of the service interrupts calls
 * for a moment. If it fails again, {@link serviceStatus} says when the service is back, and all queries of the page are repeated.
 */
export function createQueryClient(): QueryClient {
  const meKey = getQueryKey(trpc.session.me);
  const isMeQuery = (query: { queryKey: QueryKey }) => String(query.queryKey[0]) === String(meKey[0]);
  // A session can end while a page is open. Any call that is answered `signed_out` refreshes `session.me`, and SignedIn then
  // redirects to the sign-in page, or shows the set-up of two-step sign-in if that is missing. The error of `session.me` itself must
  // not, or it would refetch forever.
  const onError = (error: unknown) => {
    if (isOutage(error)) serviceStatus.reportFailure();
    const code = serviceErrorOf(error)?.code;
    if (code === "signed_out" || code === "two_factor_missing")
      void client.invalidateQueries({ queryKey: meKey });
  };
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (!isMeQuery(query)) onError(error);
        else if (isOutage(error)) serviceStatus.reportFailure();
      },
    }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) =>
          failures < RETRIES && isOutage(error) && serviceStatus.get().state === "answering",
        retryDelay: RETRY_DELAY_MS,
      },
      // Offline, a mutation fails immediately. If it waited for the network, it could run after its dialog was closed.
      mutations: { retry: false, gcTime: 0, networkMode: "always" },
    },
  });
  serviceStatus.onServiceBack(async () => {
    await client.refetchQueries({ queryKey: meKey });
    const isFailing = client
      .getQueryCache()
      .getAll()
      .some((query) => isMeQuery(query) && isOutage(query.state.error));
    if (!isFailing) void client.invalidateQueries({ predicate: (query) => !isMeQuery(query) });
    return !isFailing;
  });
  return client;
}
