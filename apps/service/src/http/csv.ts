import { Readable } from "node:stream";
import { stringify } from "csv-stringify/sync";

/** The columns by name, each with the function that returns a row's cell. */
export type Columns<Row> = Record<string, (row: Row) => string | number | boolean | null>;

/**
 * Writes rows as a CSV file (RFC 4180) for spreadsheets. It starts with a byte order mark, from which Excel recognises UTF-8. Text
 * that a spreadsheet could run as a formula gets an apostrophe. Numbers stay numbers.
 *
 * Pages are read only as fast as the client takes the file, and no longer after it disconnects. If reading fails or takes longer
 * than `limitMs`, the stream fails, so that the client cannot take a part for the whole file.
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
      cast: { string: escapeFormula, boolean: String },
    });
    isFirst = false;
    if (text !== "") yield text;
  }
}

/**
 * The characters that start a formula (https://owasp.org/www-community/attacks/CSV_Injection), also in their wide and small forms,
 * after any number of characters that are blank or invisible. Some spreadsheets remove those. A tab or a line break is escaped even
 * before other text.
 */
const FORMULA =
  /^(?:[\t\r\n]|[\p{White_Space}\p{Control}\p{Default_Ignorable_Code_Point}\u2800]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u;

function escapeFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}
