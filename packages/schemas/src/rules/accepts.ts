import { type Accept, acceptTokens, kindOf, type TypedName } from "./accept.js";
import { canonicalOf, essenceOf, isGeneric, isTypeOf, mediaTypeOfName } from "./media-types.js";

/**
 * Tells whether a file matches `accept`: an extension, a media type or a group of media types such as `image/*`. An empty `accept` matches
 * every file.
 *
 * The extension says which type a file has. Its sent type may be empty, an alias or another type of the same kind, because browsers and
 * systems disagree. A file is refused if its sent type is of another kind, as in `photo.jpg` with `text/html`. The sent type decides if the
 * extension is unknown.
 */
export function accepts(accept: Accept | undefined, file: TypedName): boolean {
  const tokens = acceptTokens(accept);
  const name = file.name.toLowerCase();
  const types = typesOf(file);
  const matches = (token: string) =>
    token.startsWith(".")
      ? name.endsWith(token)
      : /^\*(\/\*)?$/.test(token) || types.some((type) => isTypeOf(type, token) || token === groupOf(type));
  return tokens.length === 0 || tokens.some(matches);
}

/** The types that a file counts as. */
function typesOf({ name, type }: TypedName): string[] {
  const named = mediaTypeOfName(name);
  const sent = essenceOf(type);
  if (named === undefined) return isGeneric(sent) ? [] : [canonicalOf(sent), sent];
  if (isTypeOf(named, sent)) return [named, sent];
  const kinds = [kindOf(named), kindOf(sent)];
  const contradict = !kinds.includes(undefined) && kinds[0] !== kinds[1];
  return contradict ? [] : [named];
}

const groupOf = (type: string) => type.replace(/\/.*/, "/*");
