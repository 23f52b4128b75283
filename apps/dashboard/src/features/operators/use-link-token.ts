import { useEffect, useState } from "react";

/**
 * The token behind the # of a link that works once, or "" without one. It leaves the address bar at once, so that it is in no
 * bookmark, history or screenshot.
 */
export function useLinkToken(): string {
  const [token] = useState(() => location.hash.slice(1));
  useEffect(() => {
    if (location.hash !== "") history.replaceState(history.state, "", location.pathname + location.search);
  }, []);
  return token;
}
