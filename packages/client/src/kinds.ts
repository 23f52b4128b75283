import { type Accept, acceptTokens } from "@stowage/schemas/page-rules";

/** Names of file kinds for people, by their token in `accept`: `image/*`, `.heic`, `application/msword`. */
export type KindWords = Readonly<Record<string, string>>;

export const englishKinds: KindWords = { "image/*": "images", "video/*": "videos", "audio/*": "audio" };

/** Returns the accepted kinds as people name them: `image/*,.pdf` gives `images` and `PDF`. */
export function kindsOf(accept: Accept | undefined, words: KindWords): string[] {
  const kinds = acceptTokens(accept).map((token) => words[token] ?? shortNameOf(token));
  return [...new Set(kinds)];
}

/** `.pdf` and `application/pdf` give `PDF`. A group such as `font/*` stays whole. */
function shortNameOf(token: string): string {
  return token.replace(/^(\.|.*\/(?!\*))/, "").toUpperCase();
}
