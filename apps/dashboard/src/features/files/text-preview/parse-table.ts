import Papa from "papaparse";

export interface ParsedTable {
  /** Rows may have different lengths. */
  rows: string[][];
  columnCount: number;
  hasMore: boolean;
}

/** The line in which a file for Excel names its separator. */
const SEPARATOR_LINE = /^sep=(.)\r?\n/i;

/**
 * Reads the first rows of comma-separated values. Their separator may also be a semicolon, a tab or a bar.
 *
 * @param file.isWhole whether the text is all. Otherwise its last row may be incomplete, and is left out
 */
export function parseTable(
  file: { text: string; isWhole: boolean; isTabSeparated: boolean },
  maxRows: number,
): ParsedTable {
  const [line = "", named] = SEPARATOR_LINE.exec(file.text) ?? [];
  const { data } = Papa.parse<string[]>(file.text.slice(line.length), {
    // An empty one is guessed.
    delimiter: named ?? (file.isTabSeparated ? "\t" : ""),
    delimitersToGuess: [",", ";", "\t", "|"],
    skipEmptyLines: true,
    // One more than are shown, and one that may be cut.
    preview: maxRows + 2,
  });
  const isLastCut = !file.isWhole && data.length > 1 && data.length < maxRows + 2;
  const complete = isLastCut ? data.slice(0, -1) : data;
  const rows = complete.slice(0, maxRows);
  return {
    rows,
    columnCount: rows.reduce((most, row) => Math.max(most, row.length), 0),
    hasMore: complete.length > maxRows,
  };
}
