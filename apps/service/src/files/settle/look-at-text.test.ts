import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { findCharset } from "./look-at-text.js";

const KIB = 1024;
const ascii = (length: number) => Buffer.alloc(length, "a");

/** In chunks, as storage sends them. */
const read = (bytes: Buffer, chunkBytes = 64 * KIB) =>
  findCharset(
    Readable.from(
      (function* () {
        for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
      })(),
    ),
  );

const shiftJis = Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea, 0x0a]);
const halfWidthKatakana = Buffer.from([0xb1, 0xb2, 0xb3]);
const latin1 = Buffer.from("Zoë, Ærø, Müller: 5 €\n", "latin1");
const gbk = Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0xa3, 0xac, 0xca, 0xc0, 0xbd, 0xe7]);
const eucKr = Buffer.from([0xbe, 0xc8, 0xb3, 0xe7, 0xc7, 0xcf, 0xbc, 0xbc, 0xbf, 0xe4]);
const iso2022Jp = Buffer.from("\x1b$BF|K\\8l\x1b(B\n", "latin1");

test.each<[string, Buffer, "utf-8" | null]>([
  ["UTF-8", Buffer.from("Zoë, 日本語, 🎈\n"), "utf-8"],
  ["UTF-8 with a byte order mark", Buffer.from("\ufeffZoë"), "utf-8"],
  [
    "UTF-8 that ends with its only letter beyond ASCII",
    Buffer.concat([ascii(100_000), Buffer.from("é")]),
    "utf-8",
  ],
  [
    "10 MB of UTF-8 whose first letter beyond ASCII comes last",
    Buffer.concat([ascii(10_000_000), Buffer.from("é")]),
    "utf-8",
  ],
  [
    "10 MB of Latin-1 whose first letter beyond ASCII comes last",
    Buffer.concat([ascii(10_000_000), latin1]),
    null,
  ],
  ["nothing", Buffer.alloc(0), null],
  ["ASCII", ascii(100), null],
  ["ASCII with the colours of a terminal", Buffer.from("\x1b[31mred\x1b[0m"), null],
  ["UTF-8 with the colours of a terminal", Buffer.from("\x1b[31mrot: größer\x1b[0m"), "utf-8"],
  ["Latin-1", latin1, null],
  ["Windows-1252", Buffer.from([0x93, 0x61, 0x94, 0x80]), null],
  ["Shift_JIS", shiftJis, null],
  ["half-width katakana of Shift_JIS", halfWidthKatakana, null],
  ["GBK", gbk, null],
  ["EUC-KR", eucKr, null],
  ["ISO-2022-JP", iso2022Jp, null],
  ["UTF-16 with a byte order mark", Buffer.from("\ufeffZoë", "utf16le"), null],
  ["UTF-16 of ASCII without a byte order mark", Buffer.from("Zoe", "utf16le"), null],
  ["UTF-8 whose last character was cut by its writer", Buffer.from("Zoë é").subarray(0, -1), null],
  ["UTF-8 in overlong form", Buffer.from([0x61, 0xc0, 0xaf]), null],
  ["surrogates in the form of UTF-8 (CESU-8)", Buffer.from([0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]), null],
  ["bytes that are no text", Buffer.from([0x00, 0xc3, 0xa9]), null],
])("finds the charset of %s", async (_, bytes, charset) => {
  expect(await read(bytes)).toBe(charset);
  expect(await read(bytes.subarray(-200_000), 1)).toBe(charset);
});

test.each([1, 2, 3])("a character that the limit cuts after %i of its bytes is no error", async (bytes) => {
  const cut = 256 * KIB - bytes;
  const text = Buffer.concat([Buffer.from("é"), ascii(cut - 2), Buffer.from("🎈".repeat(1000))]);
  expect(await read(text, 1024)).toBe("utf-8");
  expect(await read(Buffer.concat([text.subarray(0, cut - 10), latin1, ascii(KIB)]), 1024)).toBe(null);
});

test("reads 16 MiB at most, and calls what it has not seen by no name", async () => {
  let sent = 0;
  const endless = Readable.from(
    (function* () {
      for (;;) yield ascii((sent += 64 * KIB) && 64 * KIB);
    })(),
  );
  expect(await findCharset(endless)).toBe(null);
  expect(sent).toBeLessThanOrEqual(17 * KIB * KIB);
  expect(endless.destroyed).toBe(true);
  // The limit leaves one byte of a character, which says nothing.
  for (const last of ["é", "\xe9"]) {
    const bytes = Buffer.concat([
      ascii(16 * KIB * KIB - 1),
      Buffer.from(last, last === "é" ? "utf8" : "latin1"),
      ascii(KIB),
    ]);
    expect(await read(bytes, KIB)).toBe(null);
  }
});
