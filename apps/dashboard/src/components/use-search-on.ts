import { useEffect } from "react";

/**
 * Goes on with a search whose page has found nothing so far and is not the last: the service reads a part of a long list at a time.
 *
 * @param page undefined while it is on its way
 */
export function useSearchOn(
  page: { count: number; nextCursor: string | null } | undefined,
  goOn: (cursor: string) => void,
): boolean {
  const next = page?.count === 0 ? page.nextCursor : null;
  useEffect(() => {
    if (next !== null) goOn(next);
    // Each cursor once: how to go on may be another function at each render.
  }, [next]);
  return next !== null;
}
