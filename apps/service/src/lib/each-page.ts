/**
 * Yields all pages of a list. Each page is read when the caller has consumed the one before.
 *
 * @param read reads the page after a cursor; undefined for the first page
 */
export async function* eachPage<Page extends { nextCursor: string | null }>(
  read: (cursor: string | undefined) => Promise<Page>,
): AsyncGenerator<Page, void, undefined> {
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    yield page;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
