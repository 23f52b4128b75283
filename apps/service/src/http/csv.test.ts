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

async function cellOf(text_: string): Promise<string> {
  const csv = await text(toCsv(pagesOf([text_]), { number: () => -1, name: (row: string) => row }, LONG));
  const [, cell = ""] = /^number,name\r\n-1,([^]*)\r\n$/.exec(csv) ?? [];
  return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
}

const formulas = ["=1+1", "+1", "-1", "@SUM(A1)", "＝1", "＋1", "－1", "＠1", "﹦1", "﹢1", "﹣1", "﹫1"];
const blanks = {
  "no blank": "",
  "a space": " ",
  "a tab": "\t",
  "a carriage return": "\r",
  "a line break": "\n",
  "several blanks": "  \t\u00a0 \r\n",
  "a no-break space": "\u00a0",
  "an ideographic space": "\u3000",
  "a zero-width space": "\u200b",
  "a byte order mark": "\ufeff",
  "a right-to-left mark": "\u200f",
  "a soft hyphen": "\u00ad",
  "a Hangul filler": "\u3164",
  "a blank Braille pattern": "\u2800",
  "a NUL": "\0",
};
const names = Object.entries(blanks);

test.each(names)(
  "escapes text that starts a formula after %s, and leaves the number -1 as it is",
  async (_, blank) => {
    for (const formula of [...formulas, '=HYPERLINK("http://x","y")']) {
      expect(await cellOf(blank + formula)).toBe(`'${blank}${formula}`);
    }
  },
);

test.each(["a=1", " a", "1-1", "'=1", '"', "2026-01-31", "ada@example.com", "(=1)", "\u00e9", ""])(
  "leaves the text %j as it is",
  async (name) => expect(await cellOf(name)).toBe(name),
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
