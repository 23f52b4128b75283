import { useEffect, useState } from "react";

/**
 * Returns the token after the # of a one-time link, or "" if there is none. Removes it from the address bar, so that it does not
 * end up in bookmarks, the history or screenshots.
 */
export function useLinkToken(): string {
  const [token] = useState(() => location.hash.slice(1));
  useEffect(() => {
    if (location.hash !== "") history.replaceState(history.state, "", location.pathname + location.search);
  }, []);
  return token;
}

/** The part of a tRPC mutation that {@link useLinkDetails} uses. */
interface ReadMutation<Details> {
  data: Details | undefined;
  error: unknown;
  isPending: boolean;
  mutate: (input: { token: string }) => void;
}

/** Reads what a one-time link is for. It uses a mutation because a query would put the token into a URL and into the cache. */
export function useLinkDetails<Details>(read: ReadMutation<Details>, token: string) {
  const { mutate } = read;
  useEffect(() => {
    if (token !== "") mutate({ token });
  }, [mutate, token]);
  return {
    data: read.data,
    error: read.error,
    isFetching: read.isPending,
    refetch: () => mutate({ token }),
  };
}
