import { lazy } from "#lib/lazy.js";

/** What a PUT carries when nobody knows better (RFC 2046 section 4.5.1). */
const UNKNOWN = "application/octet-stream";

/** IANA's and the web servers' tables: a twentieth of what the service would load at its start. */
export const loadMediaTypes = lazy(async () => (await import("mime-types")).default);

/** The media type that the filename's extension stands for. */
export async function detectContentType(filename: string): Promise<string> {
  // The tables would take a name without a dot, such as "png", for an extension.
  if (!filename.includes(".")) return UNKNOWN;
  const { lookup } = await loadMediaTypes();
  return lookup(filename) || UNKNOWN;
}
