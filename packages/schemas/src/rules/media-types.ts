import { MEDIA_TYPES } from "./media-type-table.js";

/** The media type for unknown content (RFC 2046 section 4.5.1). */
const UNKNOWN_TYPE = "application/octet-stream";

interface Table {
  /** The type of an extension. */
  types: Map<string, string>;
  /** The extensions of a type. The first is the usual one. */
  extensions: Map<string, string[]>;
  /** Other names of a type, without `x-`. */
  aliases: Map<string, Set<string>>;
  /** The type that an alias, without `x-`, stands for in a name without a known extension. */
  canonical: Map<string, string>;
}

let table: Table | undefined;

/** Reads the table when it is first needed. */
function readTable(): Table {
  if (table) return table;
  const read: Table = { types: new Map(), extensions: new Map(), aliases: new Map(), canonical: new Map() };
  const lines = MEDIA_TYPES.trim()
    .split("\n")
    .map((line) => line.split(" ") as [string, ...string[]]);
  for (const [type, ...words] of lines) {
    const extensions = words.filter((word) => !word.includes("/"));
    for (const extension of extensions) read.types.set(extension, type);
    read.extensions.set(type, extensions);
    read.aliases.set(type, new Set([type, ...words.filter((word) => word.includes("/"))].map(withoutX)));
    read.canonical.set(withoutX(type), type);
  }
  for (const [type, aliases] of read.aliases)
    for (const alias of aliases) if (!read.canonical.has(alias)) read.canonical.set(alias, type);
  return (table = read);
}

/**
 * The media type of a filename's extension, such as `image/heic` for `IMG_1.HEIC`. The table is made from mime-db, with additions.
 *
 * @returns undefined for a name without an extension, or with an unknown one
 */
export function mediaTypeOfName(filename: string): string | undefined {
  const [, extension] = /.\.([^./\\]+)$/.exec(filename) ?? [];
  return extension && readTable().types.get(extension.toLowerCase());
}

/**
 * The media type to store with a file. The extension decides, because browsers and systems send other types for the same file: Windows calls a
 * ZIP file `application/x-zip-compressed` and a CSV file `application/vnd.ms-excel`. A sent type keeps its parameters if it is the type of the
 * name, and counts if the extension is unknown. It also counts as the sound of a film format, as in `audio/webm`.
 *
 * @param sent may be empty
 */
export function mediaTypeOf({ name, type: sent }: { name: string; type: string }): string {
  const named = mediaTypeOfName(name);
  const essence = essenceOf(sent);
  if (named === undefined) return isGeneric(essence) ? sent || UNKNOWN_TYPE : sent;
  return essence === named || essence === named.replace(/^video/, "audio") ? sent : named;
}

/**
 * Gives a file the extension of its type, such as `photo.jpg` to a JPEG called `photo.heic`.
 *
 * @returns the same name if it fits the type, or if nothing is known of the type
 */
export function nameForMediaType(name: string, type: string): string {
  const canonical = canonicalOf(essenceOf(type));
  const [extension] = readTable().extensions.get(canonical) ?? [];
  const named = mediaTypeOfName(name);
  if (extension === undefined || named === canonical) return name;
  return `${named === undefined ? name : name.replace(/\.[^.]*$/, "")}.${extension}`;
}

/** Whether a name in lower case is a name of `type`, as `image/jpg` is one of `image/jpeg`. */
export function isTypeOf(type: string, name: string): boolean {
  return type === name || (readTable().aliases.get(type)?.has(withoutX(name)) ?? false);
}

/** The type that a name in lower case stands for: `image/jpeg` for `image/jpg`. */
export function canonicalOf(name: string): string {
  return readTable().canonical.get(withoutX(name)) ?? name;
}

/** A media type without its parameters, in lower case. */
export const essenceOf = (type: string) => type.toLowerCase().replace(/;.*/s, "").trim();

/** Whether a sent type says nothing about the content. */
export const isGeneric = (essence: string) =>
  !/^[^/\s]+\/[^/\s]+$/.test(essence) ||
  /^(unknown|\*)\/|\/(x-)?(octet-stream|unknown|download|force-download|binary)$/.test(essence);

/** `x-` marks a name that was not registered when it was first used. Many are known with and without it. */
const withoutX = (name: string) => name.replace("/x-", "/");
