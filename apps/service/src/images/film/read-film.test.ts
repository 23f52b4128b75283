import { expect, test } from "vitest";
import { readFilm, UnreadableFilmError } from "./read-film.js";

const MIB = 1024 ** 2;

function aBox(type: string, length: number, { isLong = false } = {}): Buffer {
  const box = Buffer.alloc(length);
  box.writeUInt32BE(isLong ? 1 : length, 0);
  box.write(type, 4, "latin1");
  if (isLong) box.writeBigUInt64BE(BigInt(length), 8);
  return box;
}

/** Reads a film, and tells what was read. */
async function readParts(...boxes: Buffer[]) {
  const file = Buffer.concat(boxes);
  const reads: [number, number][] = [];
  const film = await readFilm(file.length, async (at, length) => {
    reads.push([at, length]);
    return file.subarray(at, at + length);
  });
  for (const { at, bytes } of film?.parts ?? [])
    expect(bytes.equals(file.subarray(at, at + bytes.length))).toBe(true);
  return { container: film?.container, reads };
}

test("reads the beginning of a film whose index comes first", async () => {
  const { container, reads } = await readParts(aBox("ftyp", 24), aBox("moov", 500), aBox("mdat", 40 * MIB));
  expect(container).toBe("mov");
  expect(reads).toEqual([[0, 32 * MIB]]);
});

test.each([false, true])(
  "reads the index at the end, behind a box whose size has 64 bits: %s",
  async (isLong) => {
    const film = [aBox("ftyp", 24), aBox("wide", 8), aBox("mdat", 40 * MIB, { isLong }), aBox("moov", 500)];
    const { reads } = await readParts(...film);
    const at = 32 + 40 * MIB;
    expect(reads).toEqual([
      [0, 32 * MIB],
      [at, 16],
      [at, 500],
    ]);
  },
);

test("reads the rest of an index that begins in the first bytes", async () => {
  const { reads } = await readParts(aBox("mdat", 31 * MIB), aBox("moov", 2 * MIB), aBox("free", 100));
  expect(reads).toEqual([
    [0, 32 * MIB],
    [32 * MIB, MIB],
  ]);
});

test("reads only the beginning of WebM and Matroska", async () => {
  const { container, reads } = await readParts(Buffer.from("1a45dfa3", "hex"), Buffer.alloc(33 * MIB));
  expect(container).toBe("matroska");
  expect(reads).toEqual([[0, 32 * MIB]]);
});

test.each(["#EXTM3U\nhttp://example.com/a.ts", "RIFF    AVI ", "FLV\u0001", "", "G".repeat(400)])(
  "%j is no film that is read",
  async (bytes) => {
    expect((await readParts(Buffer.from(bytes))).container).toBeUndefined();
  },
);

test.each([
  ["without an index", [aBox("ftyp", 24), aBox("mdat", 100)]],
  ["with a box of no size", [aBox("ftyp", 24), Buffer.from("00000004667265650000000000000000", "hex")]],
  ["with a thousand boxes", Array.from({ length: 1000 }, () => aBox("free", 16))],
  ["with an index of 70 MiB", [aBox("moov", 70 * MIB)]],
])("a film %s is refused", async (_, boxes) => {
  await expect(readParts(...boxes)).rejects.toThrow(UnreadableFilmError);
});
