import { Readable } from "node:stream";
import { stringify } from "csv-stringify/sync";

/** The names of the columns, and how a row fills each. */
export type Columns<Row> = Record<string, (row: Row) => string | number | boolean | null>;

/**
 * Rows as a CSV file (RFC 4180) for spreadsheets: with the mark by which Excel knows UTF-8, and with an apostrophe before each
 * text that it would take for a formula (https://owasp.org/www-community/attacks/CSV_Injection).
 *
 * Rows are read as fast as somebody takes them. When nobody does any more reading stops; where it fails, or takes longer than
 * `limitMs`, the stream breaks, so that half a file never passes for a whole one.
 */
export function toCsv<Row>(
  pages: AsyncIterable<Row[]>,
  columns: Columns<Row>,
  { limitMs }: { limitMs: number },
): Readable {
  const stream = Readable.from(writePages(pages, columns), { objectMode: false, highWaterMark: 64 * 1024 });
  const timer = setTimeout(() => stream.destroy(new Error("the export took too long")), limitMs);
  return stream.once("close", () => clearTimeout(timer));
}

async function* writePages<Row>(pages: AsyncIterable<Row[]>, columns: Columns<Row>): AsyncGenerator<string> {
  const names = Object.keys(columns);
  let isFirst = true;
  for await (const rows of pages) {
    const cells = rows.map((row) => names.map((name) => columns[name]!(row)));
    const text = stringify(isFirst ? [names, ...cells] : cells, {
      bom: isFirst,
      record_delimiter: "windows",
      escape_formulas: true,
      cast: { boolean: String },
    });
    isFirst = false;
    if (text !== "") yield text;
  }
}
