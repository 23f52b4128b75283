import { limits } from "@stowage/schemas";

/** Room for `projects/<22>/tenants/<22>/<22>_`: refs and prefix are 22 characters each. */
const NAME_BYTES = limits.objectKeyBytes - "projects//tenants//_".length - 3 * 22;
/** An extension longer than this is no extension, but a sentence with a dot in it. */
const EXTENSION_BYTES = 32;

/**
 * The filename as it stands in an object's key. Letters and digits of any script and `.`, `-`, `_` stay as they are;
 * each run of anything else becomes one `_`. What is too long is cut in the middle of no character, with its extension kept.
 *
 * The prefix that goes before it keeps `.` and `..` from ever being a segment.
 *
 * @param filename in NFC, without control characters
 */
export function safeName(filename: string): string {
  // \p{M} keeps the marks that some scripts write as characters of their own, as in हिन्दी.
  const name = filename.replace(/[^\p{L}\p{N}\p{M}._-]+/gu, "_");
  if (utf8Length(name) <= NAME_BYTES) return name;
  const dot = name.lastIndexOf(".");
  const extension = dot > 0 && utf8Length(name.slice(dot)) <= EXTENSION_BYTES ? name.slice(dot) : "";
  const stem = extension ? name.slice(0, dot) : name;
  return cutToBytes(stem, NAME_BYTES - utf8Length(extension)) + extension;
}

function cutToBytes(text: string, bytes: number): string {
  let kept = "";
  let length = 0;
  for (const character of text) {
    length += utf8Length(character);
    if (length > bytes) break;
    kept += character;
  }
  return kept;
}

function utf8Length(text: string): number {
  return Buffer.byteLength(text, "utf8");
}
