import type { Disposition } from "@stowage/schemas";
import contentDisposition from "content-disposition";

/** The headers that storage must set on the response to a download. */
export interface DownloadHeaders {
  contentDisposition: string;
  contentType: string;
}

/**
 * The headers of a download. The type of a file is what its uploader claimed, and the storage host may hold other users' files and
 * cookies. So allow-lists say which types are kept. Every other file (HTML, XML, SVG, scripts, multipart, MHTML, and unknown types,
 * whose content browsers guess) becomes an attachment without a type.
 *
 * @param file.filename without control characters and lone surrogates
 */
export function downloadHeaders(file: {
  contentType: string;
  filename: string;
  disposition: Disposition;
}): DownloadHeaders {
  const essence = essenceOf(file.contentType);
  const mayView = isViewable(essence);
  const keepsType = mayView || (!ACTIVE.test(essence) && INERT.test(essence));
  return {
    contentDisposition: toContentDisposition(mayView ? file.disposition : "attachment", file.filename),
    contentType: keepsType ? essence + charsetOf(file.contentType) : UNKNOWN,
  };
}

/** Whether a browser would run a file of this type. */
export function isActiveType(contentType: string): boolean {
  const essence = essenceOf(contentType);
  return ACTIVE.test(essence) || /^(multipart|message)\//.test(essence);
}

/**
 * A text that a browser shows. It is sent as plain text, also if it is meant for a program, such as a table.
 *
 * @returns null for a type that is no such text. `charset` is the one that the type names, null if it names none
 */
export function shownTextOf(contentType: string): { charset: string | null } | null {
  if (!SHOWN_AS_TEXT.test(essenceOf(contentType))) return null;
  return { charset: charsetNamedBy(contentType) ?? null };
}

/** The element that previews a file in a page. */
export type PreviewKind = "image" | "pdf" | "audio" | "video";

/** How a page can preview a file of this type; null if {@link downloadHeaders} makes it an attachment, and for plain text. */
export function previewKindOf(contentType: string): PreviewKind | null {
  const essence = essenceOf(contentType);
  if (!isViewable(essence)) return null;
  if (essence === "application/pdf") return "pdf";
  const [family] = essence.split("/", 1);
  return family === "image" || family === "audio" || family === "video" ? family : null;
}

/** The type without its parameters, in lower case. */
function essenceOf(contentType: string): string {
  return (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
}

function isViewable(essence: string): boolean {
  return !ACTIVE.test(essence) && VIEWABLE.test(essence);
}

/** Types that the browser itself draws or plays and that cannot contain a script. No other type is shown in the browser. */
const VIEWABLE =
  /^(image\/(png|jpeg|gif|webp|avif|bmp)|application\/pdf|text\/plain|(audio|video)\/[a-z0-9.+-]+)$/;

/** Types that are always saved and never shown. They keep their type because the program that opens them needs it. */
const INERT =
  /^(image|font)\/[a-z0-9.+-]+$|^text\/(csv|markdown|tab-separated-values)$|^application\/(json|zip|gzip|x-gzip|x-bzip2?|x-7z-compressed|x-tar|x-xz|zstd|vnd\.rar|x-rar-compressed|msword|rtf|epub\+zip|vnd\.[a-z0-9.+-]+)$/;

const SHOWN_AS_TEXT = /^text\/(plain|csv|markdown|tab-separated-values)$/;

/**
 * These types are never kept, even if they match a list above: a browser opens every `+xml` type as a document, and SVG has had
 * several names.
 */
const ACTIVE = /xml$|html|svg|script|xul/;

const UNKNOWN = "application/octet-stream";

/**
 * A Content-Disposition that all clients read in the same way (RFC 6266): the exact name in `filename*`, and plain ASCII in `filename` for
 * clients that do not know `filename*`. Slashes become `_`, because the library would drop everything before them as a folder. Bidirectional
 * control characters are left out: they would show `annexe<U+202E>gpj.exe` as `annexeexe.jpg`.
 *
 * It has no space except those of the name: some HTTP clients rewrite the `%20` of a presigned URL to `+`, which not every store reads as
 * a space.
 */
function toContentDisposition(type: Disposition, filename: string): string {
  const name = filename.replace(/\p{Bidi_Control}/gu, "").replace(/[/\\]/g, "_") || "_";
  return (
    contentDisposition(name, { type, fallback: toAscii(name) })
      .replace(`${type}; `, `${type};`)
      // The fallback has no quotes, so this is the end of `filename`.
      .replace('"; filename*=', '";filename*=')
  );
}

/**
 * Keeps the base letters of Latin script, such as `Ete a la mer` for `Été à la mer`. Other letters, `"` and `%` become `_`. It is not empty if
 * the name is not.
 */
function toAscii(name: string): string {
  const ascii = name
    .normalize("NFC")
    .replace(/[^\x20-\x7e]/gu, baseOf)
    .replace(/["%/\\]/g, "_");
  return ascii === "" ? "_" : ascii;
}

function baseOf(character: string): string {
  const base = BASES[character] ?? character.normalize("NFKD").replace(/\p{Mn}/gu, "");
  return base.replace(/[^\x20-\x7e]/gu, "_");
}

/** The letters of Latin script that Unicode does not decompose, and the usual punctuation. */
const BASES: Readonly<Record<string, string>> = {
  Æ: "AE",
  æ: "ae",
  Œ: "OE",
  œ: "oe",
  Ø: "O",
  ø: "o",
  ß: "ss",
  ẞ: "SS",
  Ł: "L",
  ł: "l",
  Đ: "D",
  đ: "d",
  Ð: "D",
  ð: "d",
  Þ: "Th",
  þ: "th",
  Ħ: "H",
  ħ: "h",
  Ŧ: "T",
  ŧ: "t",
  Ŋ: "Ng",
  ŋ: "ng",
  Ə: "E",
  ə: "e",
  Ɛ: "E",
  ɛ: "e",
  Ɔ: "O",
  ɔ: "o",
  Ɓ: "B",
  ɓ: "b",
  Ɖ: "D",
  ɖ: "d",
  Ɗ: "D",
  ɗ: "d",
  Ƙ: "K",
  ƙ: "k",
  Ƴ: "Y",
  ƴ: "y",
  ĸ: "k",
  ı: "i",
  "‘": "'",
  "’": "'",
  "–": "-",
  "—": "-",
};

function charsetOf(contentType: string): string {
  const charset = charsetNamedBy(contentType);
  return charset === undefined ? "" : `; charset=${charset}`;
}

/**
 * Keeps a plain charset and no other parameter: a quoted value can contain a comma, and some clients read a second type after it.
 */
function charsetNamedBy(contentType: string): string | undefined {
  return /;[ \t]*charset="?([a-z0-9._-]+)"?[ \t]*(?:;|$)/i.exec(contentType)?.[1]?.toLowerCase();
}
