/**
 * Walks two ascending sequences side by side and pairs what has the same path. Holds one item of each, however long they are.
 *
 * @throws {RangeError} when a sequence is not ascending: pairs would be missed, and everything after looks lost
 */
export async function* mergeJoin<Left extends { path: string }, Right extends { path: string }>(
  left: AsyncIterable<Left>,
  right: AsyncIterable<Right>,
): AsyncGenerator<{ left: Left | null; right: Right | null }> {
  const lefts = ascending(left);
  const rights = ascending(right);
  let [l, r] = [await next(lefts), await next(rights)];
  while (l || r) {
    const order = !l ? 1 : !r ? -1 : compareBytes(l.path, r.path);
    yield { left: order <= 0 ? l : null, right: order >= 0 ? r : null };
    if (order <= 0) l = await next(lefts);
    if (order >= 0) r = await next(rights);
  }
}

/** The order of S3 listings and of PostgreSQL's "C" collation. JavaScript's own differs past U+FFFF. */
export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

async function* ascending<Item extends { path: string }>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  let last: string | undefined;
  for await (const item of items) {
    if (last !== undefined && compareBytes(last, item.path) >= 0)
      throw new RangeError("a listing is not in the order of its keys' bytes, so it cannot be compared");
    last = item.path;
    yield item;
  }
}

async function next<Item>(items: AsyncGenerator<Item>): Promise<Item | null> {
  const step = await items.next();
  return step.done ? null : step.value;
}
