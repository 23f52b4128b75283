/** How much of each end of a file is looked at. The entries of a ZIP archive are listed at its end, some 3,000 in these bytes. */
const END_BYTES = 256 * 1024;

/** Keeps both ends of a file whose bytes pass. */
export function createEnds() {
  const head: Uint8Array[] = [];
  // One buffer for each file: many small ones would stay until the next garbage collection.
  let tail: Buffer | undefined;
  let inHead = 0;
  let inTail = 0;
  return {
    add(chunk: Uint8Array): void {
      const rest = chunk.subarray(Math.max(0, END_BYTES - inHead));
      head.push(chunk.subarray(0, chunk.length - rest.length));
      inHead += chunk.length - rest.length;
      if (rest.length === 0) return;
      tail ??= Buffer.allocUnsafe(2 * END_BYTES);
      const last = rest.subarray(-END_BYTES);
      if (inTail + last.length > tail.length) {
        tail.copyWithin(0, inTail - END_BYTES, inTail);
        inTail = END_BYTES;
      }
      tail.set(last, inTail);
      inTail += last.length;
    },
    /** The whole file if it is small, otherwise its ends one after the other. */
    read: () => Buffer.concat([...head, ...(tail ? [tail.subarray(0, inTail)] : [])]),
  };
}

/**
 * Looks for containers that need a password, because a scanner may call what it cannot decrypt clean. PDFs are left to clamd: most that are
 * encrypted need no password to be read, and their dictionary does not say so.
 *
 * @param ends of a file: see {@link createEnds}
 * @returns what is encrypted, in words; null if nothing was found
 */
export function findEncryption(ends: Buffer): string | null {
  return MARKS.find(({ start, isEncrypted }) => somewhere(ends, start, isEncrypted))?.name ?? null;
}

type IsEncrypted = (bytes: Buffer, at: number) => boolean;

const SEVEN_ZIP = Buffer.from("7z\xbc\xaf\x27\x1c", "latin1");
/** The method AES256SHA256 in the list of coders. It can be read if the names of the files are encrypted too. */
const SEVEN_ZIP_AES = Buffer.from([0x06, 0xf1, 0x07, 0x01]);
const SEVEN_ZIP_HEADER_BYTES = 512;
const COMPOUND_FILE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

/** Archives are looked for at each place, because a program that unpacks itself, or another archive, may be before them. */
const MARKS: { name: string; start: Buffer; isEncrypted: IsEncrypted }[] = [
  { name: "encrypted ZIP", start: Buffer.from("PK\x03\x04"), isEncrypted: (b, at) => isZipEntry(b, at + 4) },
  { name: "encrypted ZIP", start: Buffer.from("PK\x01\x02"), isEncrypted: (b, at) => isZipEntry(b, at + 6) },
  { name: "encrypted RAR", start: Buffer.from("Rar!\x1a\x07\x00"), isEncrypted: isRar4 },
  { name: "encrypted RAR", start: Buffer.from("Rar!\x1a\x07\x01\x00"), isEncrypted: isRar5 },
  {
    name: "encrypted 7z",
    start: SEVEN_ZIP,
    isEncrypted: (bytes, at) => at === 0 && bytes.subarray(-SEVEN_ZIP_HEADER_BYTES).includes(SEVEN_ZIP_AES),
  },
  {
    // [MS-OFFCRYPTO]: an encrypted document is one stream with this name in a compound file.
    name: "encrypted Office document",
    start: Buffer.from("EncryptedPackage", "utf16le"),
    isEncrypted: (bytes) => bytes.subarray(0, COMPOUND_FILE.length).equals(COMPOUND_FILE),
  },
];

function somewhere(bytes: Buffer, start: Buffer, isEncrypted: IsEncrypted): boolean {
  for (let at = bytes.indexOf(start); at >= 0; at = bytes.indexOf(start, at + 1)) {
    if (isEncrypted(bytes, at)) return true;
  }
  return false;
}

/** @param at of "version needed", after which both headers of an entry have its flags and its method */
function isZipEntry(bytes: Buffer, at: number): boolean {
  if (at + 6 > bytes.length) return false;
  const [version, flags, method] = [bytes[at]!, bytes.readUInt16LE(at + 2), bytes.readUInt16LE(at + 4)];
  // Otherwise a few bytes of something else would be taken for a header.
  const isHeader = version < 100 && method < 100;
  return isHeader && (flags & 1) !== 0;
}

const MAX_BLOCKS = 1000;

/** The blocks of RAR 1.5 to 4: CRC, type, flags and size; behind a file its bytes. */
function isRar4(bytes: Buffer, start: number): boolean {
  let at = start + 7;
  for (let blocks = 0; blocks < MAX_BLOCKS && at + 11 <= bytes.length; blocks++) {
    const [type, flags, size] = [bytes[at + 2], bytes.readUInt16LE(at + 3), bytes.readUInt16LE(at + 5)];
    if (type === 0x73 && flags & 0x80) return true;
    if (type === 0x74 && flags & 0x04) return true;
    if (size < 7) return false;
    at += size + (flags & 0x8000 ? bytes.readUInt32LE(at + 7) : 0);
  }
  return false;
}

/** The blocks of RAR 5 (https://www.rarlab.com/technote.htm): CRC, size, type, flags; in the extra area of a file its encryption. */
function isRar5(bytes: Buffer, start: number): boolean {
  let at = start + 8;
  for (let blocks = 0; blocks < MAX_BLOCKS && at < bytes.length; blocks++) {
    const header = createReader(bytes, at + 4);
    const size = header.read();
    const end = header.at() + size;
    const type = header.read();
    if (type === 4) return true;
    const flags = header.read();
    const extraBytes = flags & 1 ? header.read() : 0;
    const dataBytes = flags & 2 ? header.read() : 0;
    if ((type === 2 || type === 3) && hasRecord(bytes, end - extraBytes, end, 1)) return true;
    if (!(end > at)) return false;
    at = end + dataBytes;
  }
  return false;
}

function hasRecord(bytes: Buffer, start: number, end: number, wanted: number): boolean {
  for (let at = start; at < Math.min(end, bytes.length);) {
    const record = createReader(bytes, at);
    const size = record.read();
    at = record.at() + size;
    if (record.read() === wanted) return true;
  }
  return false;
}

/** Reads numbers of variable length; NaN beyond the end. */
function createReader(bytes: Buffer, start: number) {
  let at = start;
  return {
    at: () => at,
    read(): number {
      let value = 0;
      for (let shift = 0; shift < 70; shift += 7) {
        const byte = bytes[at++] ?? NaN;
        value += (byte & 0x7f) * 2 ** shift;
        if (Number.isNaN(byte)) return NaN;
        if (byte < 0x80) return value;
      }
      return NaN;
    },
  };
}
