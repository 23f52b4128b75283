import { type Accept, acceptTokens } from "@stowage/schemas/rules";

/** What people call a kind of files, by how `accept` calls it: `image/*`, `.heic`, `application/msword`. */
export type KindWords = Readonly<Record<string, string>>;

export const englishKinds: KindWords = { "image/*": "images", "video/*": "videos", "audio/*": "audio" };

/** What is accepted, as people call it: `image/*,.pdf` are `images` and `PDF`. */
export function kindsOf(accept: Accept | undefined, words: KindWords): string[] {
  const kinds = acceptTokens(accept).map(
    (token) => words[token] ?? token.replace(/^(\.|.*\/(?!\*))/, "").toUpperCase(),
  );
  return [...new Set(kinds)];
}
