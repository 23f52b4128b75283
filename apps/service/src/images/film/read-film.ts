/** FFmpeg's names of the formats that are read. No other is: playlists, for example, name further files. */
export type FilmContainer = "mov" | "matroska";

/** A part of a film, at its place in the file. */
export interface FilmPart {
  at: number;
  bytes: Buffer;
}

export interface FilmParts {
  container: FilmContainer;
  parts: FilmPart[];
}

/** No picture can be made of this film. More time would not help. The message is for operators. */
export class UnreadableFilmError extends Error {
  override readonly name = "UnreadableFilmError";
}

/** Two seconds of a phone's 4K take up to 25 MB. */
const HEAD_BYTES = 32 * 1024 ** 2;
/** The index of a film of some hours. */
const MAX_INDEX_BYTES = 32 * 1024 ** 2;
/** The boxes before the index. A film has a handful. */
const MAX_BOXES = 32;
/** A size of 32 bits, a type, and a size of 64 bits. */
const BOX_HEADER_BYTES = 16;

/**
 * Reads what a player needs for the first seconds: the beginning of the file, and of MP4 and QuickTime also the index, which phones write at the
 * end. So a film of many gigabytes costs some megabytes.
 *
 * @param read reads a part of the file
 * @returns null for bytes that are no film
 * @throws {UnreadableFilmError}
 */
export async function readFilm(
  sizeBytes: number,
  read: (at: number, length: number) => Promise<Buffer>,
): Promise<FilmParts | null> {
  if (sizeBytes < BOX_HEADER_BYTES) return null;
  const head = await read(0, Math.min(sizeBytes, HEAD_BYTES));
  const container = sniffFilm(head);
  if (container === null) return null;
  const parts = [{ at: 0, bytes: head }];
  if (container === "mov") {
    const index = await findIndex(head, sizeBytes, read);
    const at = Math.max(index.at, head.length);
    const length = index.at + index.length - at;
    if (length > MAX_INDEX_BYTES) throw new UnreadableFilmError("the index of the film is too large");
    if (length > 0) parts.push({ at, bytes: await read(at, length) });
  }
  return { container, parts };
}

/** The first boxes of MP4 and QuickTime. */
const FIRST_BOXES = ["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot"];

function sniffFilm(head: Buffer): FilmContainer | null {
  if (head.subarray(0, 4).toString("hex") === "1a45dfa3") return "matroska";
  return FIRST_BOXES.includes(head.toString("latin1", 4, 8)) ? "mov" : null;
}

async function findIndex(
  head: Buffer,
  sizeBytes: number,
  read: (at: number, length: number) => Promise<Buffer>,
): Promise<{ at: number; length: number }> {
  for (let at = 0, boxes = 0; boxes < MAX_BOXES && at + BOX_HEADER_BYTES <= sizeBytes; boxes++) {
    const isInHead = at + BOX_HEADER_BYTES <= head.length;
    const header = isInHead ? head.subarray(at, at + BOX_HEADER_BYTES) : await read(at, BOX_HEADER_BYTES);
    const length = lengthOf(header, sizeBytes - at);
    if (header.toString("latin1", 4, 8) === "moov") return { at, length: Math.min(length, sizeBytes - at) };
    if (length < 8) break;
    at += length;
  }
  throw new UnreadableFilmError("the film has no index");
}

/** @param rest a box of the size 0 reaches to the end of the file */
function lengthOf(header: Buffer, rest: number): number {
  const length = header.readUInt32BE(0);
  if (length === 0) return rest;
  return length === 1 ? Number(header.readBigUInt64BE(8)) : length;
}
