/**
 * Walks two ascending sequences in parallel and pairs items with the same path. It holds one item of each in memory.
 *
 * @throws {RangeError} if a sequence is not ascending. Otherwise pairs would be missed, and files would be reported as missing
 */
export async function* mergeJoin<Left extends { path: string }, Right extends { path: string }>(
  left: AsyncIterable<Left>,
  right: AsyncIterable<Right>,
): AsyncGenerator<{ left: Left | null; right: Right | null }> {
  const lefts = ascending(left);
  const rights = ascending(right);
  let nextLeft = await takeNext(lefts);
  let nextRight = await takeNext(rights);
  while (nextLeft || nextRight) {
    const order = compareItems(nextLeft, nextRight);
    yield { left: order <= 0 ? nextLeft : null, right: order >= 0 ? nextRight : null };
    if (order <= 0) nextLeft = await takeNext(lefts);
    if (order >= 0) nextRight = await takeNext(rights);
  }
}

/** The end of a sequence sorts after every path. */
function compareItems(left: { path: string } | null, right: { path: string } | null): number {
  if (!left) return 1;
  if (!right) return -1;
  return compareBytes(left.path, right.path);
}

/** Compares UTF-8 bytes, as S3 listings and PostgreSQL's "C" collation do. JavaScript's own order differs above U+FFFF. */
export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

async function* ascending<Item extends { path: string }>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  let last: string | undefined;
  for await (const item of items) {
    if (last !== undefined && compareBytes(last, item.path) >= 0)
      throw new RangeError(
        "a listing is not in the order of its keys' UTF-8 bytes, so it cannot be compared",
      );
    last = item.path;
    yield item;
  }
}

async function takeNext<Item>(items: AsyncGenerator<Item>): Promise<Item | null> {
  const step = await items.next();
  return step.done ? null : step.value;
}
