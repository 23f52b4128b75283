/** As in the `accept` attribute: `"image/*,.pdf"`, or the same in a list. */
export type Accept = string | readonly string[];

/** The single kinds of an `accept`, in lower case. */
export function acceptTokens(accept: Accept | undefined): string[] {
  const parts = typeof accept === "string" ? accept.split(",") : (accept ?? []);
  return parts.map((part) => part.trim().toLowerCase()).filter(Boolean);
}

/**
 * Whether a file is of one of the kinds, by the rules of the `accept` attribute: an extension, a type, or a
 * group of types. No kinds at all means every file.
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
