import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { decodeText } from "./decode-text.js";

const bytesOf = (text: string, encoding: BufferEncoding = "utf8") =>
  new Uint8Array(Buffer.from(text, encoding));
const plain = { contentType: "text/plain", isWhole: true };

test.each([
  ["UTF-8", bytesOf("Größe 5 €"), "Größe 5 €", "utf-8"],
  ["UTF-8 with a byte order mark", bytesOf("\ufeffGröße"), "Größe", "utf-8"],
  ["UTF-16, little end first", bytesOf("\ufeffGröße", "utf16le"), "Größe", "utf-16le"],
  [
    "UTF-16, big end first",
    bytesOf("\ufeffGröße", "utf16le").map((_, i, all) => all[i ^ 1]!),
    "Größe",
    "utf-16be",
  ],
  ["Windows-1252", new Uint8Array([0x47, 0x72, 0xf6, 0xdf, 0x65]), "Größe", "windows-1252"],
  ["nothing", bytesOf(""), "", "utf-8"],
  ["a log with colors of a terminal", bytesOf("\x1b[31merror\x1b[0m\n"), "\x1b[31merror\x1b[0m\n", "utf-8"],
])("decodes %s", (_, bytes, text, encoding) => {
  expect(decodeText(bytes, plain)).toEqual({ text, encoding });
});

test("the declared charset counts, unless a byte order mark says otherwise, or the browser does not know it", () => {
  const declared = (charset: string) => ({ contentType: `text/plain; charset=${charset}`, isWhole: true });
  const japanese = new Uint8Array([0x93, 0xfa, 0x96, 0x7b]);
  expect(decodeText(japanese, declared("Shift_JIS"))).toEqual({ text: "日本", encoding: "shift_jis" });
  expect(decodeText(bytesOf("\ufeffä", "utf16le"), declared("utf-8"))?.encoding).toBe("utf-16le");
  expect(decodeText(bytesOf("ä"), declared("nonsense"))).toEqual({ text: "ä", encoding: "utf-8" });
  expect(decodeText(new Uint8Array([0xe4]), declared("utf-8"))).toEqual({
    text: "ä",
    encoding: "windows-1252",
  });
});

test("a character that is cut at the end of the first bytes does not make a file Windows-1252", () => {
  const cut = bytesOf("Größe €").slice(0, -1);
  expect(decodeText(cut, { ...plain, isWhole: false })).toEqual({ text: "Größe ", encoding: "utf-8" });
  expect(decodeText(cut, plain)?.encoding).toBe("windows-1252");
});

test.each([
  [
    "compressed bytes",
    new Uint8Array(deflateRawSync(Buffer.from(Array.from({ length: 9000 }, (_, i) => (i * i) % 251)))),
  ],
  ["a file of zeros", new Uint8Array(1000)],
  ["UTF-32", new Uint8Array([0xff, 0xfe, 0, 0, 0x41, 0, 0, 0, 0x42, 0, 0, 0])],
])("%s are no text", (_, bytes) => {
  expect(decodeText(bytes, plain)).toBeNull();
});
