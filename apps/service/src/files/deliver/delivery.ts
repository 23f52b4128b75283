import type { Disposition } from "@stowage/schemas";
import contentDisposition from "content-disposition";

/** How storage is told to answer a download. */
export interface Delivery {
  contentDisposition: string;
  contentType: string;
}

/** Drawn or played by the browser itself, with no script in it: the only types that are ever shown in place. */
const VIEWABLE =
  /^(image\/(png|jpeg|gif|webp|avif|bmp)|application\/pdf|text\/plain|(audio|video)\/[a-z0-9.+-]+)$/;

/** Only ever saved, and of use to what opens it then: these keep their type, too. */
const INERT =
  /^(image|font)\/[a-z0-9.+-]+$|^text\/(csv|markdown|tab-separated-values)$|^application\/(json|zip|gzip|x-gzip|x-bzip2?|x-7z-compressed|x-tar|x-xz|zstd|vnd\.rar|x-rar-compressed|msword|rtf|epub\+zip|vnd\.[a-z0-9.+-]+)$/;

/** Whatever family they claim to be of: a browser makes a document of each `+xml`, and SVG has had several names. */
const ACTIVE = /xml$|html|svg|script|xul/;

const UNKNOWN = "application/octet-stream";

/**
 * How a file is handed out. Its type is what an uploader claimed, and the storage host may hold other users' files and
 * cookies: so the lists say what may keep its type, and all else (HTML, XML, SVG, scripts, multipart, MHTML, types that
 * nobody knows and browsers therefore sniff) is an attachment of bytes.
 *
 * @param filename without control characters and lone surrogates
 */
export function deliver(file: { contentType: string; filename: string; disposition: Disposition }): Delivery {
  const essence = essenceOf(file.contentType);
  const isViewable = canBeShown(essence);
  const keepsType = isViewable || (!ACTIVE.test(essence) && INERT.test(essence));
  return {
    contentDisposition: nameDownload(isViewable ? file.disposition : "attachment", file.filename),
    contentType: keepsType ? essence + charsetOf(file.contentType) : UNKNOWN,
  };
}

/** What a page draws or plays a file with. */
export type PreviewKind = "image" | "pdf" | "audio" | "video";

/** How a file of this type can be shown in place, if {@link deliver} lets it be; null for all others. */
export function previewKindOf(contentType: string): PreviewKind | null {
  const essence = essenceOf(contentType);
  if (!canBeShown(essence)) return null;
  if (essence === "application/pdf") return "pdf";
  const [family] = essence.split("/", 1);
  return family === "image" || family === "audio" || family === "video" ? family : null;
}

function essenceOf(contentType: string): string {
  return (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
}

function canBeShown(essence: string): boolean {
  return !ACTIVE.test(essence) && VIEWABLE.test(essence);
}

/**
 * A Content-Disposition that every client reads alike (RFC 6266): the exact name in `filename*`, and for those that do not
 * know it plain ASCII in `filename`. The library takes what is before a slash or backslash for a folder and drops it;
 * clients write `_` there.
 */
function nameDownload(type: Disposition, filename: string): string {
  const name = filename.replace(/[/\\]/g, "_");
  return contentDisposition(name, { type, fallback: name.replace(/[^\x20-\x7e]|["%]/gu, "_") });
}

/** Of the parameters only a plain charset goes along: a quoted one can hold a comma and, to some, another type. */
function charsetOf(contentType: string): string {
  const [, charset] = /;[ \t]*charset="?([a-z0-9._-]+)"?[ \t]*(?:;|$)/i.exec(contentType) ?? [];
  return charset === undefined ? "" : `; charset=${charset.toLowerCase()}`;
}
