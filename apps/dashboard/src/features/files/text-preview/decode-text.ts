export interface DecodedText {
  text: string;
  /** A name of the Encoding Standard (https://encoding.spec.whatwg.org/#names-and-labels), such as `utf-8`. */
  encoding: string;
}

/** A file with more of these characters is no text. Logs and terminals write some. */
const MAX_CONTROL_SHARE = 0.02;
// oxlint-disable-next-line no-control-regex -- these characters are what is counted
const CONTROL_CHARACTER = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/g;

/**
 * Decodes the bytes of a text. A byte order mark decides, then the charset of the type, then whether the bytes are UTF-8. The rest is
 * read as Windows-1252, as browsers do.
 *
 * @param file.isWhole whether the bytes are all. Otherwise a character at their end may be incomplete
 * @returns null if the bytes are no text
 */
export function decodeText(
  bytes: Uint8Array,
  file: { contentType: string; isWhole: boolean },
): DecodedText | null {
  const decoded = decode(bytes, file);
  const controls = decoded.text.match(CONTROL_CHARACTER)?.length ?? 0;
  return controls > decoded.text.length * MAX_CONTROL_SHARE ? null : decoded;
}

function decode(bytes: Uint8Array, file: { contentType: string; isWhole: boolean }): DecodedText {
  const options = { stream: !file.isWhole };
  for (const label of [markOf(bytes) ?? charsetOf(file.contentType) ?? "utf-8", "utf-8"]) {
    try {
      // Bytes that are no UTF-8 are an error. What another declared charset does not have becomes U+FFFD.
      const decoder = new TextDecoder(label, { fatal: /^utf-?8$/i.test(label) });
      return { text: decoder.decode(bytes, options), encoding: decoder.encoding };
    } catch {
      // The browser does not know the charset, or the bytes are no UTF-8.
    }
  }
  const decoder = new TextDecoder("windows-1252");
  return { text: decoder.decode(bytes, options), encoding: decoder.encoding };
}

function markOf([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}

function charsetOf(contentType: string): string | undefined {
  return /;\s*charset="?([^\s";]+)/i.exec(contentType)?.[1];
}
