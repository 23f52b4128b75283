import { useEffect, useEffectEvent } from "react";

/** A page of a list that the service searches in parts. */
interface SearchedPage {
  count: number;
  previousCursor: string | null;
  nextCursor: string | null;
  /** Whether the page was read backwards, so that the search continues before it. */
  isBackward: boolean;
}

/**
 * The service searches a long list in parts. Opens the next part if the current one has no results and is not the last.
 *
 * @param page undefined while it is loading
 * @returns whether the next part is being opened
 */
export function useContinuedSearch(page: SearchedPage | undefined, open: (cursor: string) => void): boolean {
  const onward = page?.isBackward ? page.previousCursor : page?.nextCursor;
  const cursor = page?.count === 0 ? (onward ?? null) : null;
  const openPart = useEffectEvent(open);
  useEffect(() => {
    if (cursor !== null) openPart(cursor);
  }, [cursor]);
  return cursor !== null;
}
