import { lazy } from "#lib/lazy.js";

/** The media type for unknown content (RFC 2046 section 4.5.1). */
const UNKNOWN = "application/octet-stream";

/**
 * Loads the table of media types on first use: it is a twentieth of all code that the service would otherwise load at its start.
 */
export const loadMediaTypes = lazy(async () => (await import("mime-types")).default);

/** The media type that belongs to the filename's extension. */
export async function detectContentType(filename: string): Promise<string> {
  // The library would read a name without a dot, such as "png", as an extension.
  if (!filename.includes(".")) return UNKNOWN;
  const { lookup } = await loadMediaTypes();
  return lookup(filename) || UNKNOWN;
}
