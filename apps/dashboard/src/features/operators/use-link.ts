import { useEffect } from "react";

interface Reading<Offer> {
  data: Offer | undefined;
  error: unknown;
  isPending: boolean;
  isIdle: boolean;
  mutate: (input: { token: string }) => void;
}

/** Reads what a link offers, once: a mutation, since its token may stand in no URL and in no cache. */
export function useLink<Offer>(reading: Reading<Offer>, token: string) {
  const { mutate } = reading;
  useEffect(() => {
    if (token !== "") mutate({ token });
  }, [mutate, token]);
  return {
    data: reading.data,
    error: reading.error,
    isFetching: reading.isPending,
    refetch: () => mutate({ token }),
  };
}
