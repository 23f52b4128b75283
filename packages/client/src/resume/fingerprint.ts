import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

const SAMPLE_BYTES = 64 * 1024;
const FORMAT = "w1";

/** What the fingerprint of an upload tells. */
export interface Fingerprint {
  /** Hash of the size and of the first, middle and last 64 KiB of the file. */
  content: string;
  /** Hash of the route's `input`. Uploads with another input are other uploads, even of the same file. */
  input: string;
}

/**
 * Makes the text that identifies an upload again later: `w1.<content>.<input>`. It reads at most 192 KiB, and needs no
 * `crypto.subtle`, which pages without https do not have.
 *
 * @throws the browser's error for a file that cannot be read
 */
export async function fingerprintOf(file: Blob, input: unknown): Promise<string> {
  return [FORMAT, await contentHash(file), inputHash(input)].join(".");
}

/** @returns null for a text that another client made */
export function parseFingerprint(text: string | null): Fingerprint | null {
  const [format, content, input] = text?.split(".") ?? [];
  return format === FORMAT && content && input ? { content, input } : null;
}

/** A file is read once: it is compared with each open upload of its name, and opens one itself. */
const contentHashes = new WeakMap<Blob, Promise<string>>();

/**
 * Hash of the size and three samples. The samples of a small file overlap.
 *
 * @throws the browser's error for a file that cannot be read
 */
export function contentHash(file: Blob): Promise<string> {
  const known = contentHashes.get(file);
  if (known) return known;
  const hash = hashContent(file);
  contentHashes.set(file, hash);
  // A file that cannot be read now may be readable later.
  hash.catch(() => contentHashes.delete(file));
  return hash;
}

async function hashContent(file: Blob): Promise<string> {
  const samples = await Promise.all(
    sampleStarts(file.size).map((start) => {
      const sample = file.slice(start, start + SAMPLE_BYTES);
      // A file that another app of a phone hands over may fail once.
      return sample.arrayBuffer().catch(() => sample.arrayBuffer());
    }),
  );
  const hash = sha256.create().update(utf8ToBytes(`${file.size}.`));
  for (const sample of samples) hash.update(new Uint8Array(sample));
  return shortHex(hash.digest());
}

/** The same for an input that has no text, such as a function, as for no input. */
export function inputHash(input: unknown): string {
  return shortHex(sha256(utf8ToBytes(textOf(input))));
}

function sampleStarts(size: number): number[] {
  const last = Math.max(0, size - SAMPLE_BYTES);
  return [0, Math.floor(last / 2), last];
}

/** 128 bits: enough that two files never have the same. */
const shortHex = (hash: Uint8Array) => bytesToHex(hash).slice(0, 32);

function textOf(input: unknown): string {
  try {
    return JSON.stringify(input) ?? "";
  } catch {
    return "";
  }
}
