import { useCallback, useEffect, useState } from "react";

/** Where the person is in this app, by the address bar: links and the back button work. */
export function usePlace(): { path: string; go: (path: string) => void } {
  const [path, setPath] = useState(() => location.pathname);
  useEffect(() => {
    const onPop = () => setPath(location.pathname);
    addEventListener("popstate", onPop);
    return () => removeEventListener("popstate", onPop);
  }, []);
  const go = useCallback((to: string) => {
    history.pushState(null, "", to);
    setPath(to);
  }, []);
  return { path, go };
}
