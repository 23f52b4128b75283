import { expect, test } from "vitest";
import { contentHash, fingerprintOf, inputHash, parseFingerprint } from "./fingerprint.js";

const KIB = 1024;

/** A file whose bytes all differ from a file of another seed. */
function bytesOf(size: number, seed = 1): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: size }, (_, index) => (index * 31 + (index >> 8) * 7 + seed) & 255);
}

function changed(bytes: Uint8Array<ArrayBuffer>, at: number): Blob {
  const copy = bytes.slice();
  copy[at] = copy[at]! ^ 1;
  return new Blob([copy]);
}

test("the name and the date of a file do not change its fingerprint", async () => {
  const bytes = bytesOf(500 * KIB);
  const first = new File([bytes], "a.bin", { lastModified: 1 });
  const second = new File([bytes], "b.bin", { lastModified: 2 });
  expect(await fingerprintOf(first, undefined)).toBe(await fingerprintOf(second, undefined));
});

test.each([
  ["first", 0],
  ["middle", 250 * KIB],
  ["last", 500 * KIB - 1],
])("a change in the %s 64 KiB changes the fingerprint", async (_, at) => {
  const bytes = bytesOf(500 * KIB);
  expect(await contentHash(changed(bytes, at))).not.toBe(await contentHash(new Blob([bytes])));
});

test("another size changes the fingerprint, even if the samples are the same", async () => {
  const zeros = (size: number) => new Blob([new Uint8Array(size)]);
  expect(await contentHash(zeros(500 * KIB))).not.toBe(await contentHash(zeros(501 * KIB)));
});

test.each([0, 1, 64 * KIB, 100 * KIB])("a file of %i bytes has a fingerprint", async (size) => {
  expect(await contentHash(new Blob([bytesOf(size)]))).toMatch(/^[0-9a-f]{32}$/);
});

test("reads at most 192 KiB of a large file", async () => {
  let readBytes = 0;
  const large = {
    size: 20 * KIB ** 3,
    slice(start: number, end: number) {
      readBytes += end - start;
      return new Blob([new Uint8Array(end - start)]);
    },
  };
  await contentHash(large as Blob);
  expect(readBytes).toBe(192 * KIB);
});

test("reads a file once, and again if it could not be read", async () => {
  let reads = 0;
  const file = {
    size: 10,
    slice(start: number, end: number) {
      reads++;
      const sample = new Blob([bytesOf(10)]).slice(start, end);
      if (reads <= 3) sample.arrayBuffer = () => Promise.reject(new DOMException("away", "NotReadableError"));
      return sample;
    },
  } as Blob;
  await expect(contentHash(file)).rejects.toThrow("away");
  const hash = await contentHash(file);
  expect(await contentHash(file)).toBe(hash);
  expect(reads).toBe(6);
});

test("another input makes another fingerprint of the same content", async () => {
  const file = new Blob([bytesOf(10)]);
  const [first, second] = [await fingerprintOf(file, { album: 7 }), await fingerprintOf(file, { album: 8 })];
  expect(parseFingerprint(first)?.content).toBe(parseFingerprint(second)?.content);
  expect(parseFingerprint(first)?.input).toBe(inputHash({ album: 7 }));
  expect(parseFingerprint(second)?.input).not.toBe(inputHash({ album: 7 }));
});

test("an input without a text counts as no input", () => {
  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  expect(inputHash(circular)).toBe(inputHash(undefined));
  expect(inputHash(() => 1)).toBe(inputHash(undefined));
});

test.each([null, "", "abc", "w2.a.b", "w1.a"])(
  "does not read the fingerprint %s of another client",
  (text) => {
    expect(parseFingerprint(text)).toBeNull();
  },
);
