import { expect, test } from "vitest";
import type { Place } from "./cursor.js";
import { cutAt, readPage } from "./read-page.js";

/** Pages of two entries of a list of numbers in ascending order. */
function pagesOf(list: number[]) {
  const read = async ({ isBackward, after }: { isBackward: boolean; after: number | undefined }) => {
    const inOrder = isBackward ? list.toReversed() : list;
    const isAfter = (n: number) => after === undefined || (isBackward ? n < after : n > after);
    return cutAt(inOrder.filter(isAfter), 2, (n) => n);
  };
  return (place?: Place<number> | null) =>
    readPage({ place: place ?? undefined, read, positionOf: (n) => n });
}

test("pages forward to the end and back to the start, with each entry once", async () => {
  const page = pagesOf([1, 2, 3, 4, 5]);
  const first = await page();
  const second = await page(first.next);
  const third = await page(second.next);
  expect([first, second, third].map(({ rows }) => rows)).toEqual([[1, 2], [3, 4], [5]]);
  expect([first.previous, third.next]).toEqual([null, null]);
  const back = await page(third.previous);
  expect(back.rows).toEqual([3, 4]);
  expect((await page(back.next)).rows).toEqual([5]);
  const start = await page(back.previous);
  expect(start).toMatchObject({ rows: [1, 2], previous: null });
});

test("a previous page has the entries right before the current one, also if others were added meanwhile", async () => {
  const second = await pagesOf([10, 20, 30, 40])({ direction: "after", at: 20 });
  const grown = pagesOf([1, 2, 3, 10, 20, 30, 40]);
  const back = await grown(second.previous);
  expect(back.rows).toEqual([10, 20]);
  expect((await grown(back.previous)).rows).toEqual([2, 3]);
});

test("a previous page that would be short is the first page in its full length", async () => {
  expect((await pagesOf([10, 30, 40])({ direction: "before", at: 30 })).rows).toEqual([10, 30]);
});

test("the neighbour of an empty page starts with the entry at its own place, if the list can tell that position", async () => {
  const including = (n: number, isBackward: boolean) => n + (isBackward ? 1 : -1);
  const place = { direction: "after", at: 9 } as const;
  const read = async () => ({ rows: [] as number[], rest: null });
  const empty = { rows: [], next: null, isBackward: false };
  const options = { place, read, positionOf: (n: number) => n };
  expect(await readPage({ ...options, including })).toEqual({
    ...empty,
    previous: { direction: "before", at: 10 },
  });
  expect(await readPage(options)).toEqual({ ...empty, previous: null });
});
