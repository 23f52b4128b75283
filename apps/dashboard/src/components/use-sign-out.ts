import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { auth } from "../auth.js";

/** Signs out, and leaves nothing of what this person saw for the next one. */
export function useSignOut() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => auth("sign-out"),
    onSuccess: async () => {
      await navigate({ to: "/sign-in" });
      queryClient.clear();
    },
  });
}
