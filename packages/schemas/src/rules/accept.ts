/** Accepted file types, as in the HTML `accept` attribute: `"image/*,.pdf"`, or `["image/*", ".pdf"]`. */
export type Accept = string | readonly string[];

export interface TypedName {
  name: string;
  /** Media type, as a browser sends it; empty if it is unknown. */
  type: string;
}

/** Splits `accept` into its extensions and media types, in lower case. */
export function acceptTokens(accept: Accept | undefined): string[] {
  const parts = typeof accept === "string" ? accept.split(",") : (accept ?? []);
  return parts.map((part) => part.trim().toLowerCase()).filter(Boolean);
}

/**
 * Tells whether a file can match `accept`, without the table of media types. The answer is true also where only the table can tell.
 *
 * @param file.name undefined during a drag, which has types only
 */
export function mayAccept(
  accept: Accept | undefined,
  { name, type }: Pick<TypedName, "type"> & Partial<TypedName>,
): boolean {
  const tokens = acceptTokens(accept);
  const kind = kindOf(type);
  const mayMatch = (token: string) =>
    token.startsWith(".")
      ? (name?.toLowerCase().endsWith(token) ?? true)
      : !kind || kind === (kindOf(token) ?? kind);
  return tokens.length === 0 || tokens.some(mayMatch);
}

/**
 * Types of different kinds contradict each other. Sound and film are one kind, because they share formats. The others have no kind: any file
 * can be `application/…`, and `text/xml` can be a drawing or a model.
 */
export function kindOf(type: string): string | undefined {
  const [, kind] = /^(image|audio|video|text)\/(?!xml\b)/.exec(type) ?? [];
  return kind?.replace("audio", "video");
}
