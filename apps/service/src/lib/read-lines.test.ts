import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readLines, UnreadableFileError } from "./read-lines.js";

let dir: string;
beforeAll(async () => void (dir = await mkdtemp(join(tmpdir(), "lines-"))));
afterAll(() => rm(dir, { recursive: true }));

async function aFile(name: string, content: string | Uint8Array): Promise<string> {
  const file = join(dir, name);
  await writeFile(file, content);
  return file;
}

const linesOf = (file: string, limits?: Parameters<typeof readLines>[2]) =>
  readLines(
    file,
    async (lines) => {
      const read: (string | null)[] = [];
      for await (const line of lines) read.push(line);
      return read;
    },
    limits,
  );

/** Beyond several chunks of the stream, with line ends before, on and after their ends. */
const many = Array.from({ length: 5000 }, (_, n) => `${n} ${"x".repeat(n % 131)}`);

test.each(["many.log", "many.log.gz"])("reads each line of %s once, in order", async (name) => {
  const text = many.map((line) => `${line}\n`).join("");
  const file = await aFile(name, name.endsWith(".gz") ? gzipSync(text) : text);
  expect(await linesOf(file)).toEqual(many);
});

test("reads gzip files that were appended to each other", async () => {
  const file = await aFile("two.gz", Buffer.concat([gzipSync("one\ntw"), gzipSync("o\n")]));
  expect(await linesOf(file)).toEqual(["one", "two"]);
});

test("leaves out a last line that is not finished, and keeps bytes that are no UTF-8", async () => {
  const file = await aFile("growing.log", Buffer.from("one\n\xff\r\n\nthr", "latin1"));
  expect(await linesOf(file)).toEqual(["one", "\xff\r", ""]);
  expect(await linesOf(await aFile("empty.log", ""))).toEqual([]);
});

test.each([5, 6, 100_000, 1_000_000])("reads a line of %i bytes as null if 5 are allowed", async (length) => {
  const file = await aFile("long.log", `one\n${"x".repeat(length)}\ntwo\n`);
  expect(await linesOf(file, { maxLineBytes: 5 })).toEqual(["one", length > 5 ? null : "xxxxx", "two"]);
});

test("stops at a file that decompresses to too much, with and without line ends", async () => {
  for (const text of ["\n", "x"]) {
    const file = await aFile("bomb.gz", gzipSync(text.repeat(4_000_000)));
    await expect(linesOf(file, { maxBytes: 1_000_000 })).rejects.toThrow(
      new UnreadableFileError("has more than 1000000 bytes of lines"),
    );
  }
});

test("a line without end takes no memory, and is no line", async () => {
  const file = await aFile("endless.gz", gzipSync("x".repeat(50_000_000)));
  expect(await linesOf(file)).toEqual([]);
});

const whole = gzipSync(many.map((line) => `${line}\n`).join(""));
test.each<[name: string, content: Uint8Array, message: string]>([
  ["cut.gz", whole.subarray(0, whole.length / 2), "ends in the middle of its compressed data"],
  ["without-sum.gz", whole.subarray(0, -8), "ends in the middle of its compressed data"],
  ["no-gzip.gz", Buffer.from("a line\n"), "is damaged, or not compressed by gzip"],
  ["wrong-sum.gz", whole.map((byte, n) => (n === whole.length - 8 ? byte ^ 1 : byte)), "is damaged"],
])("says what is wrong with %s", async (name, content, message) => {
  const reading = linesOf(await aFile(name, content));
  await expect(reading).rejects.toThrow(UnreadableFileError);
  await expect(reading).rejects.toThrow(message);
});

test("says that a file is missing, or a folder", async () => {
  await expect(linesOf(join(dir, "missing"))).rejects.toThrow(new UnreadableFileError("does not exist"));
  await expect(linesOf(dir)).rejects.toThrow(new UnreadableFileError("is a folder"));
});

test("passes on an error of its user", async () => {
  const file = await aFile("user.log", "one\n");
  const error = new Error("no database");
  await expect(readLines(file, () => Promise.reject(error))).rejects.toBe(error);
});
