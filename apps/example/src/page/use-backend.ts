import { useCallback, useEffect, useRef, useState } from "react";

/**
 * Loads data from the backend. If calls overlap, only the answer of the newest call counts.
 *
 * @param load must be the same function at each render
 */
export function useBackend<Data>(load: () => Promise<Data>): {
  data: Data | undefined;
  error: string | undefined;
  reload: () => void;
} {
  const [data, setData] = useState<Data>();
  const [error, setError] = useState<string>();
  const newestCall = useRef(0);
  const reload = useCallback(() => {
    const thisCall = ++newestCall.current;
    load().then(
      (loaded) => {
        if (thisCall !== newestCall.current) return;
        setData(loaded);
        setError(undefined);
      },
      (error: Error) => {
        if (thisCall === newestCall.current) setError(error.message);
      },
    );
  }, [load]);
  useEffect(reload, [reload]);
  return { data, error, reload };
}
