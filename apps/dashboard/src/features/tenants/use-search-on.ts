import { useEffect, useEffectEvent } from "react";

/**
 * Goes on with a search whose page has found nothing so far and is not the last: the service reads a part of a long list at a time.
 *
 * @param page undefined while it is on its way
 * @returns whether it went on
 */
export function useSearchOn(
  page: { count: number; nextCursor: string | null } | undefined,
  goOn: (cursor: string) => void,
): boolean {
  const next = page?.count === 0 ? page.nextCursor : null;
  const go = useEffectEvent(goOn);
  useEffect(() => {
    if (next !== null) go(next);
  }, [next]);
  return next !== null;
}
