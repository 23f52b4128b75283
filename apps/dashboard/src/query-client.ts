import { QueryClient } from "@tanstack/react-query";
import { refusalOf } from "./trpc.js";

const RETRIES = 2;

/** What the service has said, for as long as a page needs it. A refusal is an answer: only silence and 5xx are asked again. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => {
          const code = refusalOf(error)?.code;
          return failures < RETRIES && (code === undefined || code === "unavailable");
        },
      },
      mutations: { retry: false, gcTime: 0 },
    },
  });
}
