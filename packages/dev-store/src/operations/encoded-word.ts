/**
 * Returns a metadata value as AWS sends it: printable ASCII as it is, other text as encoded words of RFC 2047, such as
 * `=?UTF-8?B?w6TDtsO8?=`. https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingMetadata.html
 *
 * Like AWS, it takes the Q encoding for text that is mostly ASCII, and halves text that does not fit one word.
 */
export function encodeWords(text: string): string {
  if (/^[\t\u0020-\u007e]*$/.test(text)) return text;
  const characters = [...text];
  const ascii = characters.filter((character) => character <= "\u007f").length;
  return wordsOf(characters, ascii * 2 > characters.length ? "Q" : "B").join(" ");
}

/** RFC 2047 section 2 allows 75 characters: these and `=?UTF-8?Q?` and `?=`. */
const MAX_ENCODED_CHARACTERS = 63;

function wordsOf(characters: readonly string[], encoding: "Q" | "B"): string[] {
  const bytes = Buffer.from(characters.join(""));
  const encoded = encoding === "B" ? bytes.toString("base64") : quote(bytes);
  if (encoded.length <= MAX_ENCODED_CHARACTERS || characters.length === 1)
    return [`=?UTF-8?${encoding}?${encoded}?=`];
  const half = characters.length >> 1;
  return [...wordsOf(characters.slice(0, half), encoding), ...wordsOf(characters.slice(half), encoding)];
}

/** RFC 2047 section 4.2. */
function quote(bytes: Buffer): string {
  return bytes
    .toString("latin1")
    .replace(
      /[^\u0021-\u007e ]|[=?_]/g,
      (c) => `=${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
    )
    .replaceAll(" ", "_");
}
