import { limits } from "@stowage/schemas";

/** The bytes left for the name in `projects/<22>/tenants/<22>/<22>_<name>`: both refs and the prefix have 22 characters. */
const MAX_NAME_BYTES = limits.objectKeyBytes - "projects//tenants//_".length - 3 * 22;
/** Longer text after the last dot is not treated as an extension. */
const MAX_EXTENSION_BYTES = 32;

/**
 * Makes the filename safe to use in an object key. Letters, marks and digits of any script and `.`, `-`, `_` stay; each run of
 * other characters becomes one `_`. A name that is too long is cut between two characters and keeps its extension.
 *
 * The result may be `.` or `..`. In the key a prefix precedes it in the same path segment, so the segment is never `.` or `..`.
 *
 * @param filename in NFC, without control characters
 */
export function sanitizeFilename(filename: string): string {
  // \p{M} keeps the marks that some scripts write as separate characters, as in हिन्दी.
  const name = filename.replace(/[^\p{L}\p{N}\p{M}._-]+/gu, "_");
  if (utf8Length(name) <= MAX_NAME_BYTES) return name;
  const dot = name.lastIndexOf(".");
  const extension = dot > 0 && utf8Length(name.slice(dot)) <= MAX_EXTENSION_BYTES ? name.slice(dot) : "";
  const stem = extension ? name.slice(0, dot) : name;
  return truncateToBytes(stem, MAX_NAME_BYTES - utf8Length(extension)) + extension;
}

function truncateToBytes(text: string, maxBytes: number): string {
  let kept = "";
  let length = 0;
  for (const character of text) {
    length += utf8Length(character);
    if (length > maxBytes) break;
    kept += character;
  }
  return kept;
}

function utf8Length(text: string): number {
  return Buffer.byteLength(text, "utf8");
}
