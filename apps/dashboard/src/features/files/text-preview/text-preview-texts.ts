import { formatBytes, formatCount } from "../../../components/format.js";

/** Texts of the preview of a text file. */
export const textPreview = {
  isBeginning: (read: number, size: number) =>
    `This is the beginning of the file: ${formatBytes(read)} of ${formatBytes(size)}.`,
  firstLines: (count: number) => `These are the first ${formatCount(count)} lines.`,
  firstRows: (count: number) => `These are the first ${formatCount(count)} rows.`,
  firstColumns: (count: number, total: number) =>
    `These are the first ${formatCount(count)} of ${formatCount(total)} columns.`,
  isEmpty: "The file is empty.",
  isIndented: "The JSON is indented here. The file may have other line breaks.",
  isNoJson: "This is not valid JSON, so it is shown as it is.",
  isNoText: (contentType: string) =>
    `The bytes of this file are not text, although its type is ${contentType}. Download the file to open it.`,
  encodedAs: (encoding: string) => `The text is not in UTF-8. It was read as ${encoding}.`,
  textNotLoaded:
    "The text could not be loaded. If no text file can be shown, the CORS rules of the storage do not allow this page to read it.",
} as const;
