import { once } from "node:events";
import { setImmediate as soon } from "node:timers/promises";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { toCsv } from "./csv.js";

const LONG = { limitMs: 60_000 };
const columns = { name: (row: string) => row, length: (row: string) => row.length, nothing: () => null };

async function* pagesOf(...pages: string[][]) {
  for (const page of pages) yield page;
}

test("a file has a mark for UTF-8, its columns' names, and a row for each, in the lines of RFC 4180", async () => {
  expect(await text(toCsv(pagesOf(["a", "ü"], [], ["c"]), columns, LONG))).toBe(
    // The reader takes the mark away.
    "name,length,nothing\r\na,1,\r\nü,1,\r\nc,1,\r\n",
  );
  const bytes = [];
  for await (const chunk of toCsv(pagesOf([]), columns, LONG)) bytes.push(...(chunk as Buffer));
  expect(Buffer.from(bytes)).toEqual(Buffer.from("\ufeffname,length,nothing\r\n"));
});

test("commas, quotes and line breaks stay within their cell", async () => {
  expect(await text(toCsv(pagesOf(['a,"b"\r\nc']), { name: (row: string) => row }, LONG))).toBe(
    'name\r\n"a,""b""\r\nc"\r\n',
  );
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1", '=HYPERLINK("http://x","y")'])(
  "the text %j is no formula to a spreadsheet, and the number -1 is a number",
  async (name) => {
    const csv = await text(toCsv(pagesOf([name]), { number: () => -1, name: (row: string) => row }, LONG));
    const [, cell = ""] = /^number,name\r\n-1,([^]*)\r\n$/.exec(csv) ?? [];
    expect(cell.replace(/^"/, "")).toMatch(/^'/);
    expect(cell).toContain(name.replaceAll('"', '""'));
  },
);

test("pages are read as they are taken, and no more once nobody takes them", async () => {
  let pages = 0;
  let hasEnded = false;
  const endless = async function* () {
    try {
      for (;;) {
        pages++;
        yield Array.from({ length: 1000 }, (_, i) => `row ${i}`);
        await soon();
      }
    } finally {
      hasEnded = true;
    }
  };
  const stream = toCsv(endless(), columns, LONG);
  await once(stream, "readable");
  for (let i = 0; i < 100; i++) await soon();
  expect(pages).toBeLessThan(20);
  stream.destroy();
  await once(stream, "close");
  expect(hasEnded).toBe(true);
});

test("a file that fails or takes too long is broken off, and never looks whole", async () => {
  const failing = async function* () {
    yield ["a"];
    throw new Error("the database is away");
  };
  await expect(text(toCsv(failing(), columns, LONG))).rejects.toThrow("the database is away");
  const stuck = async function* () {
    yield ["a"];
    await new Promise((resolve) => setTimeout(resolve, 200));
    yield ["b"];
  };
  await expect(text(toCsv(stuck(), columns, { limitMs: 20 }))).rejects.toThrow("the export took too long");
});
