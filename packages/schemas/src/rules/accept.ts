/** Accepted file types, as in the HTML `accept` attribute: `"image/*,.pdf"`, or `["image/*", ".pdf"]`. */
export type Accept = string | readonly string[];

/** Splits `accept` into its extensions and media types, in lower case. */
export function acceptTokens(accept: Accept | undefined): string[] {
  const parts = typeof accept === "string" ? accept.split(",") : (accept ?? []);
  return parts.map((part) => part.trim().toLowerCase()).filter(Boolean);
}

/**
 * Tells whether a file matches `accept`, by the rules of the HTML attribute: an extension, a media type or a group of
 * media types such as `image/*`. An empty `accept` matches every file.
 */
export function accepts(accept: Accept | undefined, file: { name: string; type: string }): boolean {
  const tokens = acceptTokens(accept);
  const name = file.name.toLowerCase();
  const type = file.type.toLowerCase().replace(/;.*/, "").trim();
  const kinds = ["*", "*/*", type, type.replace(/\/.*/, "/*")];
  return (
    tokens.length === 0 ||
    tokens.some((token) => kinds.includes(token) || (token.startsWith(".") && name.endsWith(token)))
  );
}
