import { MutationCache, type Query, QueryCache, QueryClient } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { refusalOf, trpc } from "./trpc.js";

const RETRIES = 2;

/** What the service has said, for as long as a page needs it. A refusal is an answer: only silence and 5xx are asked again. */
export function createQueryClient(): QueryClient {
  const me = getQueryKey(trpc.session.me);
  // A session can end while its page is open: whoever hears of it first has the page ask who is there, which leads to sign-in.
  const onError = (error: unknown) => {
    if (refusalOf(error)?.code === "signed_out") void client.invalidateQueries({ queryKey: me });
  };
  const isMe = (query: Query<unknown, unknown>) => String(query.queryKey[0]) === String(me[0]);
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => (isMe(query) ? undefined : onError(error)) }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => {
          const code = refusalOf(error)?.code;
          return failures < RETRIES && (code === undefined || code === "unavailable");
        },
      },
      // Offline they fail at once: one that waited would change something after its dialog was left, and nobody sees its answer.
      mutations: { retry: false, gcTime: 0, networkMode: "always" },
    },
  });
  return client;
}
