import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { useCallback } from "react";
import { basePath } from "../base-path.js";
import { callAuth } from "../auth-client.js";

/** Signs out, opens the sign-in page and clears the cache, so that the next person sees nothing of this one. */
export function useSignOut() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => callAuth("sign-out"),
    onSuccess: async () => {
      await navigate({ to: "/sign-in" });
      queryClient.clear();
    },
  });
}

/** Clears the cache and opens `path`. Used when the signed-in person or their rights have changed. */
export function useClearCacheAndNavigate(): (path: string) => Promise<void> {
  const queryClient = useQueryClient();
  const router = useRouter();
  return useCallback(
    async (path) => {
      queryClient.clear();
      await router.navigate({ href: basePath + path, replace: true });
    },
    [queryClient, router],
  );
}
