import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useCallback } from "react";

/** Goes to a page of ours as somebody else than before: what was seen or refused until then is forgotten. */
export function useEnter(): (path: string) => Promise<void> {
  const queryClient = useQueryClient();
  const router = useRouter();
  return useCallback(
    async (path) => {
      queryClient.clear();
      await router.navigate({ href: path, replace: true });
    },
    [queryClient, router],
  );
}
