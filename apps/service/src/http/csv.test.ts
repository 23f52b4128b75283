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

test("writes a byte order mark, the column names and one line per row, as RFC 4180 says", async () => {
  expect(await text(toCsv(pagesOf(["a", "ü"], [], ["c"]), columns, LONG))).toBe(
    // text() removes the byte order mark.
    "name,length,nothing\r\na,1,\r\nü,1,\r\nc,1,\r\n",
  );
  const bytes = [];
  for await (const chunk of toCsv(pagesOf([]), columns, LONG)) bytes.push(...(chunk as Buffer));
  expect(Buffer.from(bytes)).toEqual(Buffer.from("\ufeffname,length,nothing\r\n"));
});

test("quotes cells with commas, quotes or line breaks", async () => {
  expect(await text(toCsv(pagesOf(['a,"b"\r\nc']), { name: (row: string) => row }, LONG))).toBe(
    'name\r\n"a,""b""\r\nc"\r\n',
  );
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1", '=HYPERLINK("http://x","y")'])(
  "escapes the text %j as a formula and leaves the number -1 as it is",
  async (name) => {
    const csv = await text(toCsv(pagesOf([name]), { number: () => -1, name: (row: string) => row }, LONG));
    const [, cell = ""] = /^number,name\r\n-1,([^]*)\r\n$/.exec(csv) ?? [];
    expect(cell.replace(/^"/, "")).toMatch(/^'/);
    expect(cell).toContain(name.replaceAll('"', '""'));
  },
);

test("reads pages as fast as the client takes them, and stops after the client disconnects", async () => {
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

test("fails the stream when a page fails or the time limit has passed", async () => {
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
