import { describe, expect, test } from "vitest";
import { anEncryptedZip } from "../../test/fixtures/a-clamd.js";
import { createEnds, findEncryption } from "./find-encryption.js";

const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");
const filler = (length: number) => Buffer.alloc(length, "x");

const CRC = "00000000";
const RAR5 = "526172211a070100";
/** Header size 5: type 1, flags 0, archive flags 0, and two bytes. */
const RAR5_MAIN = `${CRC} 05 01 00 00 00 00`;
/** A file whose extra area of `record.length / 2` bytes has this record, and whose data have three bytes. */
const rar5File = (record: string) => {
  const extra = hex(record).length.toString(16).padStart(2, "0");
  const header = `02 03 ${extra} 03 00 01 ${record}`;
  return `${CRC} ${hex(header).length.toString(16).padStart(2, "0")} ${header} 616161`;
};
const RAR4 = "526172211a0700";
const rar4Block = (type: string, flags: string) => `0000 ${type} ${flags} 0d00 000000000000`;

const SEVEN_ZIP = hex("377abcaf271c 0004");
const COMPOUND_FILE = hex("d0cf11e0a1b11ae1");

/** Bytes 2 to 4 of both headers of an entry of a ZIP archive have its flags. */
function aZip(flags: number): Buffer {
  const zip = anEncryptedZip();
  zip.writeUInt16LE(flags, zip.indexOf("PK\x03\x04") + 6);
  zip.writeUInt16LE(flags, zip.indexOf("PK\x01\x02") + 8);
  return zip;
}

describe("a container with a password is found:", () => {
  test.each([
    ["a ZIP archive", "encrypted ZIP", anEncryptedZip()],
    [
      "one behind a program that unpacks it",
      "encrypted ZIP",
      Buffer.concat([filler(5000), anEncryptedZip()]),
    ],
    ["RAR 4, names and bytes", "encrypted RAR", hex(`${RAR4} ${rar4Block("73", "8000")}`)],
    ["RAR 4, bytes", "encrypted RAR", hex(`${RAR4} ${rar4Block("73", "0000")} ${rar4Block("74", "0400")}`)],
    ["RAR 5, names and bytes", "encrypted RAR", hex(`${RAR5} ${CRC} 02 04 00`)],
    ["RAR 5, bytes", "encrypted RAR", hex(`${RAR5} ${RAR5_MAIN} ${rar5File("02 01 00")}`)],
    [
      "RAR 5, the second file",
      "encrypted RAR",
      hex(`${RAR5} ${RAR5_MAIN} ${rar5File("02 03 00")} ${rar5File("02 03 00 02 01 00")}`),
    ],
    ["7z, names and bytes", "encrypted 7z", Buffer.concat([SEVEN_ZIP, filler(9000), hex("24 06f10701 01")])],
    [
      "a document of Office",
      "encrypted Office document",
      Buffer.concat([COMPOUND_FILE, filler(700), Buffer.from("EncryptedPackage", "utf16le")]),
    ],
  ])("%s", (_, name, bytes) => {
    expect(findEncryption(bytes)).toBe(name);
  });
});

test.each([
  ["a ZIP archive", aZip(0)],
  ["RAR 4", hex(`${RAR4} ${rar4Block("73", "0000")} ${rar4Block("74", "0000")}`)],
  ["RAR 5", hex(`${RAR5} ${RAR5_MAIN} ${rar5File("02 03 00")}`)],
  ["7z whose files contain the mark", Buffer.concat([SEVEN_ZIP, hex("06f10701"), filler(600)])],
  ["the word in a text", Buffer.from("EncryptedPackage", "utf16le")],
  ["nothing", Buffer.alloc(0)],
])("no encryption is found in %s", (_, bytes) => {
  expect(findEncryption(bytes)).toBeNull();
});

test("headers that end early, or claim any size, are no encryption and take no time", () => {
  const whole = hex(`${RAR5} ${RAR5_MAIN} ${rar5File("02 03 00")}`);
  for (let length = 0; length < whole.length; length++)
    expect(findEncryption(whole.subarray(0, length))).toBeNull();
  const marks = [RAR5, RAR4, "504b0304", "504b0102"];
  for (const mark of marks)
    for (const byte of [0x00, 0x80, 0xff]) {
      const bytes = Buffer.concat([hex(mark), Buffer.alloc(100_000, byte)]);
      const startedAt = performance.now();
      findEncryption(bytes);
      expect(performance.now() - startedAt).toBeLessThan(1000);
    }
});

test("of a large file, both ends are kept and a bounded number of bytes", () => {
  const whole = Buffer.concat([anEncryptedZip(), filler(3_000_000), Buffer.from("the end")]);
  for (const size of [10, 1000, 65_536, 10_000_000]) {
    const ends = createEnds();
    for (let at = 0; at < whole.length; at += size) ends.add(whole.subarray(at, at + size));
    const kept = ends.read();
    expect(findEncryption(kept)).toBe("encrypted ZIP");
    expect(kept.subarray(-7).toString()).toBe("the end");
    expect(kept.length).toBeLessThan(800_000);
  }
  const small = createEnds();
  small.add(Buffer.from("one "));
  small.add(Buffer.from("two"));
  expect(small.read().toString()).toBe("one two");
});
